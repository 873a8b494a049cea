import ISOBMFF
import MediaCore

/// Something that happens at a moment of a live channel, for players that read it from the media.
package struct TimedEvent: Sendable, Hashable {
    /// Unique within the channel.
    package var id: UInt32
    /// Seconds; `nil` where it is not known.
    package var duration: Double?
    package var tag: ID3Tag

    package init(id: UInt32, duration: Double? = nil, tag: ID3Tag) {
        self.id = id
        self.duration = duration
        self.tag = tag
    }

    /// - Parameter time: on the timeline of the track whose part carries it.
    func message(at time: MediaTime) -> EventMessage {
        EventMessage(
            schemeIDURI: EventMessage.id3SchemeIDURI, presentationTime: time,
            duration: duration.map { MediaTime(seconds: $0, timescale: time.timescale) }, id: id,
            messageData: tag.rendered())
    }
}

/// An ID3v2.4 tag with one text of the user's own (id3.org, id3v2.4.0-structure §3 and -frames §4.2.6: TXXX).
package struct ID3Tag: Sendable, Hashable {
    /// What the value is; neither holds a null character.
    package var description: String
    package var value: String

    package init(description: String, value: String) {
        self.description = description
        self.value = value
    }

    private static let utf8Encoding: UInt8 = 3

    package func rendered() -> [UInt8] {
        let text = [Self.utf8Encoding] + Array(description.utf8) + [0] + Array(value.utf8)
        let frame = Array("TXXX".utf8) + Self.synchsafe(text.count) + [0, 0] + text
        return Array("ID3".utf8) + [4, 0, 0] + Self.synchsafe(frame.count) + frame
    }

    /// Seven bits a byte (§6.2).
    private static func synchsafe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 0x7F }
    }
}
