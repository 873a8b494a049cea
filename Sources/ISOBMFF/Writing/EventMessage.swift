package import MediaCore
package import NIOCore

/// An event message box, `emsg` version 1 (ISO/IEC 23009-1 §5.10.3.3), which precedes a `moof`.
package struct EventMessage: Sendable, Hashable {
    package var schemeIDURI: String
    package var value: String
    /// Presentation time on the timeline of the track that carries the message.
    package var presentationTime: MediaTime
    /// Duration; `nil` if it is not known.
    package var duration: MediaTime?
    /// Identifier. Messages with the same identifier, scheme and value describe the same event.
    package var id: UInt32
    package var messageData: [UInt8]

    /// Scheme of messages that are ID3v2 tags (https://aomedia.org/emsg/ID3).
    package static let id3SchemeIDURI = "https://aomedia.org/emsg/ID3"

    /// Value for an unknown duration (ISO/IEC 23009-1 §5.10.3.3.3).
    private static let unknownDuration = UInt32.max

    package init(
        schemeIDURI: String, value: String = "", presentationTime: MediaTime, duration: MediaTime? = nil, id: UInt32,
        messageData: [UInt8]
    ) {
        self.schemeIDURI = schemeIDURI
        self.value = value
        self.presentationTime = presentationTime
        self.duration = duration
        self.id = id
        self.messageData = messageData
    }

    /// Appends the `emsg` box.
    package func write(into buffer: inout ByteBuffer) {
        let timescale = presentationTime.timescale
        buffer.writeFullBox("emsg", version: 1) { buffer in
            buffer.writeInteger(timescale.ticksPerSecond)
            buffer.writeInteger(UInt64(max(0, presentationTime.value)))
            buffer.writeInteger(
                duration.map { UInt32(clamping: $0.converted(to: timescale).value) } ?? Self.unknownDuration)
            buffer.writeInteger(id)
            buffer.writeNullTerminatedString(schemeIDURI)
            buffer.writeNullTerminatedString(value)
            buffer.writeBytes(messageData)
        }
    }

    // MARK: In a segment

    /// Offset of presentation_time from the start of the box: after the header, version and flags, and the timescale.
    private static let presentationTimeOffset = 16

    /// Whether the box has version 1, whose time is on its track's timeline.
    ///
    /// - Parameter offset: position of the `emsg` box, from the first readable byte.
    static func isWritten(_ buffer: ByteBuffer, at offset: Int) -> Bool {
        let start = buffer.readerIndex + offset
        guard let size = buffer.getInteger(at: start, as: UInt32.self) else { return false }
        return size >= presentationTimeOffset + 8 && buffer.getInteger(at: start + 8, as: UInt8.self) == 1
    }

    /// - Parameters:
    ///   - shift: the ticks to add, in the timescale of the track.
    ///   - offset: position of the `emsg` box, from the first readable byte.
    static func shift(by shift: Int64, in buffer: inout ByteBuffer, at offset: Int) {
        let start = buffer.readerIndex + offset + presentationTimeOffset
        guard let time = buffer.getInteger(at: start, as: Int64.self) else { return }
        buffer.setInteger(time.addingSaturating(shift), at: start)
    }
}
