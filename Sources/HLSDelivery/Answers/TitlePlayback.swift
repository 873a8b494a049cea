package import HTTPTypes
package import MediaCore
package import NIOCore

/// A segment of a title that a player has fetched.
package struct TitlePlayback: Sendable {
    package var subject: MediaSubject
    /// The number of the segment, the same in all renditions.
    package var segment: Int
    /// The playing time of the segment.
    package var duration: Duration
    /// The playing time of all segments of the rendition.
    package var total: Duration
    /// The header of the request.
    package var fields: HTTPFields
    /// The address of the connection; `nil` in tests without sockets.
    package var peer: SocketAddress?

    package init(
        _ subject: MediaSubject, segment: Int, duration: Duration, of total: Duration, fields: HTTPFields,
        peer: SocketAddress?
    ) {
        (self.subject, self.segment, self.duration, self.total) = (subject, segment, duration, total)
        (self.fields, self.peer) = (fields, peer)
    }
}
