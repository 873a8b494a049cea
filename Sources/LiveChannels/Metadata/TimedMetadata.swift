package import HLSPlaylist
import MediaCore
package import Packaging

/// An announcement at a channel's live edge: EXT-X-DATERANGE without its dates (rfc8216bis §4.4.5.1), and an ID3 tag
/// for players that read events from the media.
package struct TimedMetadata: Sendable, Hashable {
    /// Unique among the channel's ranges; generated if `nil`.
    package var id: String?
    /// The CLASS attribute; `nil` for none.
    package var rangeClass: String?
    /// Duration in seconds.
    package var duration: Double?
    /// Expected duration in seconds, if the end is not known yet.
    package var plannedDuration: Double?
    package var endsOnNext: Bool
    package var attributes: [DateRange.Attribute]
    /// The ID3 tag in the media; `nil` if only playlists announce the event.
    package var tag: ID3Tag?

    /// Limit on the bytes of identifiers and classes. It is longer than any in use; playlists carry these names to
    /// every viewer, again and again.
    package static let maximumNameByteCount = 128
    /// Limit on ``attributes``, which every playlist repeats.
    package static let maximumAttributeCount = 16
    /// Limit on the bytes of one attribute, or of a text in the ID3 tag. SCTE 35 messages in hexadecimal take a few
    /// hundred.
    package static let maximumValueByteCount = 1_024
    /// Seconds: one week.
    package static let maximumDuration = 604_800.0

    /// - Throws: ``TimedMetadataError`` with code `invalid` if a value is not allowed.
    package init(
        id: String? = nil, rangeClass: String? = nil, duration: Double? = nil, plannedDuration: Double? = nil,
        endsOnNext: Bool = false, attributes: [DateRange.Attribute] = [], tag: ID3Tag? = nil
    ) throws(TimedMetadataError) {
        self.id = id
        self.rangeClass = rangeClass
        self.duration = duration
        self.plannedDuration = plannedDuration
        self.endsOnNext = endsOnNext
        self.attributes = attributes
        self.tag = tag
        try check()
    }

    private func check() throws(TimedMetadataError) {
        try Self.check(id, named: "id", limit: Self.maximumNameByteCount)
        try Self.check(rangeClass, named: "class", limit: Self.maximumNameByteCount)
        try Self.check(duration, named: "duration")
        try Self.check(plannedDuration, named: "plannedDuration")
        if endsOnNext {
            guard rangeClass != nil else { throw .invalid("\"endOnNext\" needs a \"class\"") }
            guard duration == nil else { throw .invalid("\"endOnNext\" and \"duration\" cannot be combined") }
        }
        guard attributes.count <= Self.maximumAttributeCount else {
            throw .invalid("more than \(Self.maximumAttributeCount) attributes")
        }
        for attribute in attributes {
            switch attribute.value {
            case .string(let text): try Self.check(text, named: attribute.name, limit: Self.maximumValueByteCount)
            case .hexadecimal(let bytes):
                guard bytes.count * 2 <= Self.maximumValueByteCount else { throw .tooLong(attribute.name) }
            case .number: break
            }
        }
        try Self.check(tag?.description, named: "id3.description", limit: Self.maximumNameByteCount)
        // Unlike a playlist, a tag may have quotation marks, as JSON has.
        try Self.check(
            tag?.value.replacing("\"", with: "'"), named: "id3.value", limit: Self.maximumValueByteCount)
    }

    /// Checks that a text may stand in a quoted string (rfc8216bis §4.2).
    private static func check(_ text: String?, named name: String, limit: Int) throws(TimedMetadataError) {
        guard let text else { return }
        guard !text.isEmpty else { throw .invalid("\"\(name)\" is empty") }
        guard text.utf8.count <= limit else { throw .tooLong(name) }
        let isQuotable = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar != "\"" && !(0x7F...0x9F).contains(scalar.value)
        }
        guard isQuotable else { throw .invalid("\"\(name)\" must not contain quotation marks or control characters") }
    }

    private static func check(_ seconds: Double?, named name: String) throws(TimedMetadataError) {
        guard let seconds else { return }
        guard (0...maximumDuration).contains(seconds) else {
            throw .invalid("\"\(name)\" must be between 0 and \(Int(maximumDuration)) seconds")
        }
    }

    func dateRange(id: String, startDate: WallClockTime) -> DateRange {
        DateRange(
            id: id, dateRangeClass: rangeClass, startDate: startDate.millisecondsSince1970, duration: duration,
            plannedDuration: plannedDuration, endsOnNext: endsOnNext, attributes: attributes)
    }
}
