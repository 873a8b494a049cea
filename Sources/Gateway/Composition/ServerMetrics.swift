import Database
import Features
import HTTPEndpoints
import LiveChannels
import MediaCore
import WebAPI
import RTMPServer
import RTSPServer
import SRTServer
import StreamRelays
import WebIngest
import VODLibrary

/// The metrics of the server's own parts: live media, RTSP, RTMP, HTTP, the database and the media store.
struct ServerMetrics: Sendable {
    let directory: LiveChannelDirectory
    let rtsp: RTSPServer
    let rtmp: RTMPServer
    let srt: SRTServer?
    let ingest: IngestServer
    let relays: StreamRelays
    let library: VODLibrary
    let statistics: ServerStatistics

    var families: [MetricFamily] {
        get async {
            var families =
                LiveChannelMetrics(channels: directory.all, partLatency: directory.partLatency.snapshot).families
                + RTSPMetrics(statistics: rtsp.statistics()).families
                + RTMPMetrics(statistics: rtmp.statistics()).families
                + HTTPMetrics(http: statistics.http, delivery: statistics.delivery).families
                + DatabaseMetrics(statistics: statistics.database).families
            families += IngestMetrics(statistics: ingest.statistics).families
            families += RelayMetrics(relays: relays.statuses).families
            if let srt { families += SRTMetrics(statistics: srt.statistics()).families }
            if let status = await library.mediaStoreStatus(), let cache = library.mediaCacheStatistics {
                families += MediaStoreMetrics(status: status, cache: cache).families
            }
            return families
        }
    }
}
