"""What was found: cells, rows, the store that keeps them, and its verification.

Only ``schema``, ``store`` and ``verify`` need pyarrow; a worker that makes rows needs ``cell`` and ``rows`` alone.
"""
