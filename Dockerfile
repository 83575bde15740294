# The image of tideline: the program and CA certificates, without a shell or a package
# manager. The health check is the program itself (tideline health).
#
#   docker build -t tideline .

FROM golang:1.26-bookworm AS build
WORKDIR /src

# Modules change less often than the program.
COPY go.mod go.sum ./
RUN go mod download

# With .git, so that the program knows its version.
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/tideline .

# Licence notices of all modules in the program.
RUN /out/tideline version --licenses >/out/LICENSES.txt

# The only writable folder. It stays empty with an external database and Redis.
RUN mkdir -p /out/data && chown 65532:65532 /out/data


FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/tideline /tideline
COPY --from=build /out/LICENSES.txt /LICENSES.txt
COPY --from=build --chown=65532:65532 /out/data /data

# The user has no name because there is no passwd file. 65532 is common for such images.
USER 65532:65532
# SQLite needs a folder for temporary files, and there is no /tmp.
ENV TIDELINE_ADDR=0.0.0.0:8080 \
    TIDELINE_DATA_DIR=/data \
    TMPDIR=/data \
    TIDELINE_LOG_FORMAT=json
EXPOSE 8080
VOLUME ["/data"]

HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/tideline", "health"]
ENTRYPOINT ["/tideline"]
CMD ["serve"]
