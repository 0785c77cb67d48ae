# Deadheat in the image that Codabench gives scoring programs by default, for a queue of one's own:
#   docker build -f publish/platform.Dockerfile -t deadheat-platform .
# The image's own numpy, scipy, scikit-learn and pandas stay as they are; pip adds what it lacks.
# The platform names the command itself, so there is no entry point.
FROM codalab/codalab-legacy:py312
COPY . /src
RUN pip freeze | grep -iE '^(numpy|scipy|scikit-learn|pandas)==' > /tmp/held \
    && pip install --no-cache-dir --constraint /tmp/held "/src[text,ir]" \
    && rm -rf /src /tmp/held \
    && deadheat --version
