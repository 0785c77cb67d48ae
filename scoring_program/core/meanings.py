"""What people write who know another library, and the name here: by meaning first, then by letters.

scikit-learn, SciPy, statsmodels, CompStats and pandas have names of their own for what this program
does, and so have other competitions' programs. Options, keys of scoring.yaml, arguments and
attributes that do not exist are answered from the same tables. A word that is missing here is
answered by its letters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from .errors import nearest


def _by_word(elsewhere: Mapping[str, str]) -> dict[str, str]:
    """Return word → name here, of names here with the words that stand for them, by spaces."""
    return {word: name for name, words in elsewhere.items() for word in words.split()}


#: Settings and arguments → what they are called elsewhere, without signs and in small letters.
SETTINGS = _by_word(
    {
        "metrics": (
            "metric measure measures scoring scorer scorers scores evalmetric evaluationmetric "
            "metricname scorefunction scorefunc func statistic poslabel positivelabel positive "
            "average weights sampleweight"
        ),
        "rank_by": "mainmetric primarymetric rankingmetric sortby orderby refit",
        "resamples": (
            "bootstrap bootstraps bootstrapsamples nbootstrap nbootstraps nboot boot nresamples "
            "numresamples nsamples numsamples bootstrapiterations niter iterations niterations "
            "permutations npermutations draws replicates b"
        ),
        "seed": "randomstate randomseed rng rngseed",
        "confidence": (
            "alpha significance significancelevel siglevel level conflevel ci confidencelevel "
            "confidenceinterval cilevel"
        ),
        "interval": "method cimethod intervalmethod bootstrapmethod bootstraptype citype",
        "tie_rule": (
            "correction multipletests multipletesting multitest adjust padjust pcorrection "
            "padjustmethod tiemethod tiebreak"
        ),
        "tests": "test permutationtest significancetest",
        "workers": (
            "njobs jobs nworkers numworkers nthreads threads processes cores cpus ncpus ncores "
            "parallel"
        ),
        "progress": "verbose progressbar tqdm",
        "group": "cluster clusters clusterby groupby groupcolumn block blocks",
        "stratify": "stratum stratifyby stratification",
        "slices": "subsets subgroups subset subgroup slice facets by domains",
        "labels": "classes classnames targetnames targets labelset",
        "baselines": "baseline baselineentry baselinemodels",
        "reference_entry": "reference control compareto comparedto against base",
        "margin": (
            "rope equivalencemargin tolerance practicaldifference mineffect delta epsilon "
            "smallestdifference"
        ),
        "prizes": "winners nwinners topk top topn prize nprizes prizeplaces podium",
        "costs": "cost price prices pricepertoken costperquery costsofteams",
        "greater_is_better": (
            "higherisbetter isgreaterbetter maximize maximise direction lowerisbetter "
            "largerisbetter biggerisbetter ascending minimize minimise sortorder"
        ),
        "id_column": "id ids idcol idname key index rowid rowidcolumnname idfield",
        "unit": "query case instance fold item unitcolumn",
        "system": "model team algorithm systemcolumn models teams algorithms",
        "sample": "repeat epoch run samplecolumn",
        "missing": "missingpredictions missingvalues nan handlemissing",
        "extra_ids": "extrarows unknownids",
        "time_budget": "timeout timelimit maxtime budget seconds",
        "memory": "ram maxmemory memorylimit gib",
        "title": "name competition competitionname heading",
        "host": "organizer organizers organiser organisers hostname",
        "url": "homepage website link",
        "language": "lang locale",
        "color_scheme": "theme dark darkmode colors colours colorscheme palette",
        "anonymize": "anonymous anonymise anonymized anonymised blind hidenames",
        "precision": "decimals rounding digits round",
        "participants": "visibility participantview public",
        "overall": "aggregation aggregate combine tasksmean",
        "layout": "submissionlayout structure",
        "submissions": "delimiter sep separator header skiprows skiplines comment columns encoding",
        "format": "fileformat filetype",
        "name_pattern": "filenames pattern regex filepattern namespattern",
        "largest_file": "maxsize maxfilesize filesizelimit sizelimit maxmb",
        "largest_upload": "maxupload maxuploadsize uploadlimit",
        "most_files": "maxfiles filelimit",
        "predictions": "ypred preds yhat ypreds predicted entries",
        "y_true": "ytrue gold truth groundtruth target y answers references",
    }
)
#: What the same setting is called in a call in Python, whose values are arrays.
_IN_PYTHON = {"group": "groups", "stratify": "strata"}
#: What follows a name of another meaning: its values are to be changed, too.
CHANGED = {
    "alpha": "which is 1 − alpha",
    "significance": "which is 1 − the significance level",
    "significancelevel": "which is 1 − the significance level",
    "siglevel": "which is 1 − the significance level",
    "lowerisbetter": "which says the opposite",
    "ascending": "which says the opposite",
    "minimize": "which says the opposite",
    "minimise": "which says the opposite",
    "poslabel": "such as {f1_score: {pos_label: 1}}",
    "positivelabel": "such as {f1_score: {pos_label: 1}}",
    "average": "such as {f1_score: {average: macro}}",
    "weights": "such as {accuracy_score: {sample_weight: COLUMN}}",
    "sampleweight": "such as {accuracy_score: {sample_weight: COLUMN}}",
    "delimiter": "such as {separator: ';'}",
    "sep": "such as {separator: ';'}",
    "skiprows": "such as {skip_lines: 3}",
}

#: What to write of a result → what it is called elsewhere.
OF_RESULTS = _by_word(
    {
        ".leader, or .possible_winners": "winner best bestentry bestmodel top first champion",
        ".possible_winners": "winners bestentries",
        ".to_frame(), or .verdict of the result": "summary report totext tostring",
        ".verdict of the result": "conclusion interpretation decision sentence",
        ".to_frame()": (
            "tocsv tomarkdown toexcel toparquet topandas dataframe todataframe df toclipboard "
            "frame table topolars describe"
        ),
        ".to_dict()": "tojson json asdict dict",
        ".to_latex()": "tolatexfile latex",
        ".save(FOLDER) of the result": "tofile write export dump savefig",
        ".to_html(FILE) of the result": "html show display render",
        ".plot()": "plotranking plotscores plotperformance boxplot draw visualize",
        ".ranking": (
            "ranks rank rankings leaderboard scores score estimates means mean bestscore "
            "observed results cvresults performance models systems"
        ),
        ".ranking, each row with low and high": (
            "confidenceinterval ci cis confint confidenceintervals interval"
        ),
        ".ranking, each row with standard_error": "standarderror stderr se std bse",
        ".differences of a metric, each row with p_two_sided": (
            "pvalue pvalues pval pvals p significance"
        ),
        ".differences of a metric": "difference diff diffs statistic effect effectsize",
        ".pairs of a metric": "pairwise paircomparisons comparisons posthoc",
        ".tied": "tie ties",
        ".entries of the result": "names entrynames",
        '.to_dict()["settings"]': "settings params config",
        ".warnings": "cautions alerts",
        ".plot(), or .to_dict(): replicates are not kept": (
            "bootstrapdistribution distribution samples replicates"
        ),
    }
)
#: What follows a method of pandas, to which the frame leads.
_OF_FRAMES = {
    "tocsv": "to_csv(FILE)",
    "tomarkdown": "to_markdown()",
    "toexcel": "to_excel(FILE)",
    "toparquet": "to_parquet(FILE)",
    "toclipboard": "to_clipboard()",
    "describe": "describe()",
}
#: Functions → what they are called elsewhere.
_FUNCTIONS = _by_word(
    {
        "compare": (
            "evaluate comparepredictions performance difference comparemodels benchmark "
            "bootstrap pairedbootstrap bootstraptest significance permutationtest mcnemar "
            "mcnemartest test"
        ),
        "compare_scores": "ttestrel wilcoxon friedman nemenyi autorank rank ranking",
        "read_results": "load loadresults read open fromjson readjson",
        "score": "run main scorefolder scorecompetition",
        "score_submission": "scoreone scoreupload evaluatesubmission",
        "DeadheatError": "error exception",
    }
)


def _plain(word: str) -> str:
    """Return a name without signs and capitals."""
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def meant_by(word: str, settings: Collection[str]) -> str | None:
    """Return the known setting, or argument, that a word of another library means."""
    setting = SETTINGS.get(_plain(word))
    names = (setting, _IN_PYTHON.get(setting or ""), _IN_PYTHON.get(_plain(word)))
    for name in names:
        if name is not None and name in settings:
            return name
    return None


def instead(word: str, spellings: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for a setting, an option or an argument that does not exist.

    A word that another library has for something here is answered by its meaning, any other by its
    letters; nothing if no name is near. Options begin with two dashes, as the ``word`` does.
    """
    names = {name.lstrip("-").replace("-", "_"): name for name in spellings}
    meant = meant_by(word, names)
    if meant is None:
        return nearest(word, names.values())
    change = CHANGED.get(_plain(word))
    told = "" if change is None else f", {change}"
    return f"; did you mean {names[meant]!r}{told}?"


def of_results(word: str, attributes: Collection[str]) -> str:
    """Return "; use …" for an attribute that a result lacks, by meaning first, then by letters.

    ``attributes`` are those that it, its metrics or the whole have.
    """
    plain = _plain(word)
    advice = OF_RESULTS.get(plain, "")
    attribute = re.search(r"\.(\w+)", advice)
    if attribute is None or attribute[1] not in attributes:
        return nearest(word, attributes)
    method = _OF_FRAMES.get(plain)
    frame = "" if method is None else f", as in .to_frame().{method}"
    return f"; use {advice}{frame}"


def of_functions(word: str, functions: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for a function that this package lacks."""
    name = _FUNCTIONS.get(_plain(word))
    return nearest(word, functions) if name is None else f"; did you mean {name!r}?"
