import ISOBMFF
import MediaCore

/// An event at a point in time of a live channel, for players that read events from the media.
package struct TimedEvent: Sendable, Hashable {
    /// An identifier that is unique within the channel.
    package var id: UInt32
    /// The event's duration in seconds; `nil` if it is not known.
    package var duration: Double?
    package var tag: ID3Tag

    package init(id: UInt32, duration: Double? = nil, tag: ID3Tag) {
        self.id = id
        self.duration = duration
        self.tag = tag
    }

    /// Renders the event as an event message box (`emsg`).
    ///
    /// - Parameter time: the event's time on the timeline of the track whose part carries it.
    func message(at time: MediaTime) -> EventMessage {
        EventMessage(
            schemeIDURI: EventMessage.id3SchemeIDURI, presentationTime: time,
            duration: duration.map { MediaTime(seconds: $0, timescale: time.timescale) }, id: id,
            messageData: tag.rendered())
    }
}
