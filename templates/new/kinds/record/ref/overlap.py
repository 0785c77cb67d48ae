"""The mean overlap of boxes: their intersection over their union."""


def counts(gold, box):
    """Return the overlap on ONE picture, and 1 to count the pictures."""
    width = min(gold[0] + gold[2], box[0] + box[2]) - max(gold[0], box[0])
    height = min(gold[1] + gold[3], box[1] + box[3]) - max(gold[1], box[1])
    common = max(width, 0) * max(height, 0)
    return common / (gold[2] * gold[3] + box[2] * box[3] - common), 1


def mean(sums):
    """Return the score for the sums over all pictures, or over those of a resample."""
    return sums[0] / sums[1]
