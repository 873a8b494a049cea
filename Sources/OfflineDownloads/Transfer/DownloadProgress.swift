/// How far a download is.
package struct DownloadProgress: Sendable, Hashable {
    /// The phases of a download.
    package enum Phase: Sendable, Hashable {
        /// The server computes the digests.
        case preparing
        case downloading
        /// The server does not answer; the download tries again.
        case waiting
        case downloaded
        case paused
    }

    package var copy: String
    package var name: String
    package var phase: Phase
    package var byteCount: Int64
    /// The bytes that are here, verified or arriving; for ``Phase/preparing`` those that the server has read.
    package var receivedByteCount: Int64

    package var fraction: Double { byteCount > 0 ? min(1, Double(receivedByteCount) / Double(byteCount)) : 0 }
}
