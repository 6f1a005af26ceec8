"""What to run, and running it.

``config.load_study`` and ``model.study_of_game`` make a ``Study``; ``run.run`` decides what a results folder doesn't
hold of it yet; ``status.status`` tells how far a folder is. All may be called from a script or a notebook.

Within: ``blocks`` finds what is to do, ``agenda`` gives it out in chunks, ``supervisor`` gives the chunks to
``worker`` processes, which ``processes`` starts, and ``ledger`` writes their rows.
"""
