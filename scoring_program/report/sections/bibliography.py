"""What a paper about the results cites."""

from __future__ import annotations

#: The papers whose method decides, as `CITATION.cff` has them.
PAPERS = """\
@inproceedings{navamunoz2023,
  author = {Nava-Mu{\\~n}oz, Sergio and Graff, Mario and Escalante, Hugo Jair},
  title = {Comparison of Classifiers in Challenge Scheme},
  booktitle = {Pattern Recognition (MCPR 2023)},
  year = {2023},
  doi = {10.1007/978-3-031-33783-3_9}
}

@article{mogstad2024,
  author = {Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel},
  title = {Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
           Achievement across Countries},
  journal = {Review of Economic Studies},
  year = {2024},
  doi = {10.1093/restud/rdad006}
}

@book{efron1994,
  author = {Efron, Bradley and Tibshirani, Robert J.},
  title = {An Introduction to the Bootstrap},
  publisher = {Chapman and Hall},
  year = {1994}
}

@software{deadheat,
  author = {{The Deadheat authors}},
  title = {Deadheat},
  year = {2026}
}"""
#: As a text says it → its key above.
CITES = (
    ("(Efron and Tibshirani, 1994)", "efron1994"),
    ("(Mogstad et al., 2024)", "mogstad2024"),
    ("(The Deadheat authors, 2026)", "deadheat"),
)
