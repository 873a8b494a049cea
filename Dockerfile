# Two stages: the toolchain builds, Debian runs. The libraries of libav are loaded when first used: by ingest workers,
# and by the server for pushes that have to be transcoded. So are cairo and pango, by the workers that make PDF
# files or draw scoreboards.
FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        libsqlite3-dev libpq-dev libsrt-gnutls-dev zlib1g-dev \
        libavformat-dev libavcodec-dev libavdevice-dev libavutil-dev libswscale-dev libswresample-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /antena
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Examples Examples
RUN swift build -c release --product antena --static-swift-stdlib \
    && install -D --strip .build/release/antena /out/antena

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
        libsqlite3-0 libpq5 zlib1g libstdc++6 ca-certificates \
        libavformat59 libavcodec59 libavutil57 libswscale6 libswresample4 \
        libcairo2 libpango-1.0-0 libpangocairo-1.0-0 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home-dir /var/lib/antena --create-home antena
COPY --from=build /out/antena /usr/local/bin/antena
COPY channels.json channels.schema.json /etc/antena/
USER antena
WORKDIR /var/lib/antena
ENV ANTENA_HTTP=0.0.0.0:8080 ANTENA_RTSP=0.0.0.0:8554 ANTENA_MEDIA=/media ANTENA_DATA=/var/lib/antena/data \
    ANTENA_CHANNELS=/etc/antena/channels.json
# HTTP, RTSP, both on the port of Wowza's apps, tracks by UDP.
EXPOSE 8080/tcp 8554/tcp 1935/tcp 20000-21999/udp
VOLUME ["/var/lib/antena", "/media"]
STOPSIGNAL SIGTERM
CMD ["antena", "serve"]
