import HTTPEndpoints
import MediaStorage
import VODLibrary

/// The metrics of the media store and its cache.
struct MediaStoreMetrics {
    let status: MediaStoreStatus
    let cache: RangeCacheStatistics

    var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_media_store_files", help: "Files of the library in the media store.", kind: .gauge,
                value: Double(status.storedCount)),
            MetricFamily(
                name: "antena_media_store_bytes", help: "Size of the files in the media store.", kind: .gauge,
                value: Double(status.storedByteCount)),
            MetricFamily(
                name: "antena_media_store_waiting_files", help: "Files that wait to be moved.", kind: .gauge,
                value: Double(status.waitingCount ?? 0)),
            MetricFamily(
                name: "antena_media_store_away", help: "1 while calls fail at once because the store is away.",
                kind: .gauge, value: cache.isStoreAway ? 1 : 0),
            MetricFamily(
                name: "antena_media_cache_bytes", help: "Content of the media store on this machine.", kind: .gauge,
                value: Double(cache.presentByteCount)),
            MetricFamily(
                name: "antena_media_cache_reads_total", help: "Reads, by whether everything was on this machine.",
                kind: .counter,
                samples: [
                    .init(["result": "hit"], Double(cache.hitCount)),
                    .init(["result": "miss"], Double(cache.missCount)),
                ]),
            MetricFamily(
                name: "antena_media_cache_fetched_bytes_total", help: "Bytes that came from the media store.",
                kind: .counter, value: Double(cache.fetchedByteCount)),
            MetricFamily(
                name: "antena_media_cache_evictions_total", help: "Blocks that made room for others.", kind: .counter,
                value: Double(cache.evictionCount)),
            MetricFamily(
                name: "antena_media_cache_errors_total",
                help: "Requests to the media store that failed after all tries.",
                kind: .counter, value: Double(cache.errorCount)),
        ]
    }
}
