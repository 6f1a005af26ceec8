"""What game sites say of a game in their questions and answers, filled in from a study.

``numbers`` counts, ``published`` sets what others have published beside it, ``en`` and ``de`` say it, and ``page``
prints it.
"""

from solitaire_lab.reports.faq.numbers import GameFaq, game_faqs
from solitaire_lab.reports.faq.page import Statement, render_faq, statements
from solitaire_lab.reports.faq.published import Comparison, comparisons

__all__ = ["Comparison", "GameFaq", "Statement", "comparisons", "game_faqs", "render_faq", "statements"]
