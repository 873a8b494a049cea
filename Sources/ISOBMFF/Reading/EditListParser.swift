import MediaCore
import NIOCore

/// Parses `elst` (ISO/IEC 14496-12 §8.6.6): empty edits, then one media edit. Media edits that continue one another
/// without a gap count as one, because some editors write such lists after a cut is undone.
struct EditListParser {
    let box: Box
    let movieTimescale: Timescale
    /// Timescale of the track.
    let timescale: Timescale

    private struct Entry {
        /// Duration in the movie's timescale.
        var duration: Int64
        /// Media time in the track's timescale; -1 for an empty edit.
        var mediaTime: Int64
        var isAtNormalSpeed: Bool
    }

    /// - Throws: ``ISOBMFFError`` if the list cannot be expressed with one media edit.
    func parse() throws(ISOBMFFError) -> PresentationEdit {
        var (version, _, rest) = try box.fullBox()
        let count = Int(try rest.readField(UInt32.self, of: box))
        guard count * (version == 1 ? 20 : 12) <= rest.readableBytes else {
            throw box.invalid("claims \(count) edits, but has \(rest.readableBytes) bytes for them")
        }
        var edit = PresentationEdit(emptyDuration: .zero(movieTimescale), mediaTime: 0)
        var hasMedia = false
        for _ in 0..<count {
            let entry = try readEntry(from: &rest, isWide: version == 1)
            guard entry.mediaTime != -1 else {
                // An empty edit after the media only makes the movie longer.
                if !hasMedia { edit.emptyDuration.value = edit.emptyDuration.value.addingSaturating(entry.duration) }
                continue
            }
            guard entry.isAtNormalSpeed, entry.mediaTime >= 0, !hasMedia || continues(edit, at: entry.mediaTime) else {
                throw ISOBMFFError(
                    .unsupported, box: box.type, at: box.header.offset, "the edit list cuts or repeats media")
            }
            if !hasMedia { edit.mediaTime = entry.mediaTime }
            hasMedia = true
            // Fragmented files write zero, because their duration is not known in advance.
            let duration = MediaTime(value: entry.duration, timescale: movieTimescale).converted(to: timescale).value
            edit.endTime = duration > 0 ? entry.mediaTime.addingSaturating(duration) : nil
        }
        return edit
    }

    private func readEntry(from rest: inout ByteBuffer, isWide: Bool) throws(ISOBMFFError) -> Entry {
        let duration =
            isWide
            ? Int64(clamping: try rest.readField(UInt64.self, of: box))
            : Int64(try rest.readField(UInt32.self, of: box))
        let start = isWide ? try rest.readField(Int64.self, of: box) : Int64(try rest.readField(Int32.self, of: box))
        return Entry(
            duration: duration, mediaTime: start,
            isAtNormalSpeed: try rest.readField(UInt32.self, of: box) == 0x10000)
    }

    /// Whether an edit continues the previous one, within a tick of the movie's clock, to which durations are
    /// rounded.
    private func continues(_ edit: PresentationEdit, at mediaTime: Int64) -> Bool {
        guard let end = edit.endTime else { return false }
        let tick = MediaTime(value: 1, timescale: movieTimescale).converted(to: timescale).value
        return mediaTime.subtractingSaturating(end).magnitude <= max(1, tick).magnitude
    }
}

extension LanguageTag {
    /// Parses the language of `mdhd` (ISO/IEC 14496-12 §8.4.2.3): three letters of five bits each, or a QuickTime
    /// language code.
    init?(packed: UInt16) {
        let letters = [10, 5, 0].map { UInt8(packed >> UInt16($0) & 0x1F) + 0x60 }
        if packed < 0x400 {
            self.init(macintoshLanguageCode: packed)
        } else {
            guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
            self.init(String(decoding: letters, as: UTF8.self))
        }
    }
}
