import Codecs
import MediaCore
import NIOCore

/// Parses a `trak` (ISO/IEC 14496-12 §8.3).
struct TrackBoxParser {
    let box: Box
    let movieTimescale: Timescale
    let fileByteCount: Int64
    /// Number of samples that the movie may still have.
    let sampleLimit: SampleLimit
    let damagedTracks: MovieIndex.DamagedTrackPolicy

    /// Parses the track; `nil` if it is neither video nor audio, such as a chapter list or a hint track.
    func parse() throws(ISOBMFFError) -> MovieTrack? {
        let children = try box.children()
        let (trackID, isEnabled, matrix) = try parseTrackHeader(try children.required("tkhd", in: box))
        let media = try children.required("mdia", in: box)
        let mediaChildren = try media.children()
        let mediaHeader = try mediaChildren.required("mdhd", in: media)
        let (timescale, languageCode) = try parseMediaHeader(mediaHeader)
        guard let mediaType = try parseHandler(try mediaChildren.required("hdlr", in: media)) else { return nil }
        let extendedLanguage = LanguageTag(extended: mediaChildren.first("elng"))
        var track = MovieTrack(
            track: Track(
                id: trackID, mediaType: mediaType, timescale: timescale,
                language: Self.language(packed: languageCode)),
            codec: .unsupported("????", reason: ""), samples: SampleTable(),
            edit: PresentationEdit(emptyDuration: .zero(movieTimescale), mediaTime: 0), displayMatrix: matrix,
            isEnabled: isEnabled, language: extendedLanguage ?? LanguageTag(packed: languageCode),
            userData: TrackUserData(ofTrackWith: children))
        do throws(ISOBMFFError) {
            try parseSamples(of: &track, in: media, mediaChildren)
            if let editBox = children.first("edts"), let list = try editBox.children().first("elst") {
                track.edit = try EditListParser(
                    box: list, movieTimescale: movieTimescale, timescale: timescale
                ).parse()
            }
        } catch {
            guard damagedTracks == .leaveOut, error.concernsOneTrack else { throw error }
            track.codec = .unsupported(error.box ?? "trak", reason: error.description)
            track.samples = SampleTable()
        }
        return track
    }

    /// Parses the sample description and the sample table.
    private func parseSamples(
        of track: inout MovieTrack, in media: Box, _ mediaChildren: [Box]
    ) throws(ISOBMFFError) {
        let information = try mediaChildren.required("minf", in: media)
        let table = try (try information.children()).required("stbl", in: information)
        let description = try (try table.children()).required("stsd", in: table)
        let entry = SampleEntryParser(box: description, mediaType: track.track.mediaType)
        track.codec = try entry.parse()
        guard case .supported = track.codec else { return }
        track.samples = try SampleTable(parsing: table, fileByteCount: fileByteCount, limit: sampleLimit)
        track.pixelAspectRatio = try entry.parsePixelAspectRatio()
    }

    private func parseTrackHeader(_ box: Box) throws(ISOBMFFError) -> (UInt32, Bool, DisplayMatrix) {
        var (version, flags, rest) = try box.fullBox()
        try rest.skipField(version == 1 ? 16 : 8, of: box)
        let trackID = try rest.readField(UInt32.self, of: box)
        try rest.skipField((version == 1 ? 12 : 8) + 16, of: box)
        var matrix: [UInt32] = []
        for _ in 0..<9 { matrix.append(try rest.readField(UInt32.self, of: box)) }
        return (trackID, flags & 1 != 0, DisplayMatrix(values: matrix))
    }

    private func parseMediaHeader(_ box: Box) throws(ISOBMFFError) -> (Timescale, UInt16) {
        var (version, _, rest) = try box.fullBox()
        let duration = try rest.readTimescaleAndDuration(version: version, of: box)
        return (duration.timescale, try rest.readField(UInt16.self, of: box))
    }

    /// Parses three letters of five bits each (ISO/IEC 14496-12 §8.4.2.3); `nil` for `und` and for QuickTime's
    /// language codes.
    private static func language(packed: UInt16) -> String? {
        let letters = [10, 5, 0].map { UInt8(packed >> UInt16($0) & 0x1F) + 0x60 }
        guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        let code = String(decoding: letters, as: UTF8.self)
        return code == "und" ? nil : code
    }

    private func parseHandler(_ box: Box) throws(ISOBMFFError) -> MediaType? {
        var rest = try box.fullBox().rest
        try rest.skipField(4, of: box)
        return MediaType(handler: FourCC(rawValue: try rest.readField(UInt32.self, of: box)))
    }
}
