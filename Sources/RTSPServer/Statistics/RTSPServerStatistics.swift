package import RTSPProtocol
package import StreamConnections

/// Counters since the start of the server, for the metrics page.
package struct RTSPServerStatistics: Sendable, Equatable {
    package var acceptedConnectionCount = 0
    package var openConnectionCount = 0
    /// Number of connections that currently publish.
    package var recordingSessionCount = 0
    /// Number of open connections that have played something.
    package var playingSessionCount = 0
    /// Number of readers that were dropped because they did not keep up.
    package var slowReaderCount = 0
    /// Number of frames of live channels, video and audio, that readers did not receive because they were too slow.
    package var droppedUnitCount = 0
    /// Number of connections that were closed before anything was read.
    package var refusedConnectionCounts: [ConnectionRefusal: Int] = [:]
    /// Number of refused requests per RTSP status code: 404 is an unknown channel, 453 a busy one, 415 an unsupported
    /// codec.
    package var refusedRequestCounts: [Int: Int] = [:]
    package var failedLoginCount = 0
    package var closedConnectionCounts: [RTSPCloseReason: Int] = [:]
    /// Number of packets for a channel number or track that is not set up, with an unexpected payload type, or before
    /// RECORD.
    package var ignoredPacketCount = 0
    package var malformedPacketCount = 0
    package var lostPacketCount = 0
    /// Number of datagrams from an address other than the publisher's.
    package var foreignDatagramCount = 0

    package init() {}
}
