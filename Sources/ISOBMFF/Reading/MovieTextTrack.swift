package import MediaCore
import NIOCore

/// A subtitle track of a movie: 3GPP timed text (`tx3g`, TS 26.245) or WebVTT (`wvtt`, ISO/IEC 14496-30). Tracks are
/// searched for, and their samples read, only on demand.
package struct MovieTextTrack: Sendable, Hashable {
    /// Format of a track's samples.
    package enum Format: Sendable, Hashable {
        case timedText
        case webVTT
    }

    /// The track ID in the file.
    package var id: UInt32
    /// Language of the subtitles; `nil` if the file does not state it.
    package var language: LanguageTag?
    package var format: Format
    /// Whether the subtitles are to be shown even to viewers who understand the audio (TS 26.245 §5.16,
    /// displayFlags).
    package var isForced: Bool
    /// The name that the author gave the track; `nil` if there is none.
    package var name: String?
    /// Whether the subtitles describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf: Bool

    /// A sample decoded to text.
    package struct Cue: Sendable, Hashable {
        /// Start on the movie's timeline.
        package var start: MediaTime
        /// End on the movie's timeline, after ``start``.
        package var end: MediaTime
        /// WebVTT cue settings; empty for timed text.
        package var settings: String
        /// Text as stored in the file.
        package var text: String
    }

    /// Limit on samples. A film has about two thousand cues and as many gaps.
    private static let maximumSampleCount = 100_000
    /// Size limit for a sample in bytes; larger samples are skipped.
    private static let maximumSampleByteCount = 4_096
    private static let everySampleIsForced: UInt32 = 0x8000_0000

    // MARK: Finding

    /// All subtitle tracks in the order of the file, without chapter lists.
    package static func all(in file: some RandomAccessData) throws -> [MovieTextTrack] {
        let tracks = try MovieContents(of: file).tracks()
        let chapters = try MovieContents.chapterTrackIDs(tracks)
        return try tracks.compactMap { track in
            let media = try track.media()
            guard ["sbtl", "text", "subt"].contains(media.handler), !chapters.contains(try track.id()) else {
                return nil
            }
            return try MovieTextTrack(track, media)
        }
    }

    /// Creates a track from its sample description; `nil` if its format is not supported.
    private init?(_ track: MovieContents.Track, _ media: MovieContents.Track.Media) throws {
        let description = try media.sampleTable.children().required("stsd", in: media.sampleTable)
        var entries = try description.fullBox().rest
        try entries.skipField(4, of: description)
        guard let entry = try Box(header: description.header, payload: entries).children().first else { return nil }
        switch entry.type {
        case "tx3g":
            let payload = try entry.payload()
            let flags = payload.getInteger(at: payload.readerIndex + 8, as: UInt32.self) ?? 0
            (format, isForced) = (.timedText, flags & Self.everySampleIsForced != 0)
        case "wvtt": (format, isForced) = (.webVTT, false)
        default: return nil
        }
        let userData = TrackUserData(ofTrackWith: track.children)
        isForced = isForced || userData.isForced
        name = userData.name
        isForTheDeaf = userData.isForTheDeaf
        id = try track.id()
        language = media.language
    }

    // MARK: Reading

    /// All cues that have text, in the order of the file.
    package func cues(in file: some RandomAccessData) throws -> [Cue] {
        let movie = try MovieContents(of: file)
        guard let track = try movie.tracks().first(where: { try $0.id() == id }) else { return [] }
        let media = try track.media()
        let samples = try SampleTable(
            parsing: media.sampleTable, fileByteCount: file.byteCount, limit: SampleLimit(Self.maximumSampleCount))
        var time = try start(of: track, media, in: movie)
        var cues: [Cue] = []
        for sample in 0..<samples.count {
            let start = time
            time = time.addingSaturating(Int64(samples.durations[sample]))
            let byteCount = Int(samples.byteCounts[sample])
            guard byteCount <= Self.maximumSampleByteCount else { continue }
            let bytes = try file.read(at: samples.offsets[sample], count: byteCount)
            for (settings, text) in texts(of: bytes, at: samples.offsets[sample]) where !text.isEmpty {
                cues.append(
                    Cue(
                        start: MediaTime(value: start, timescale: media.timescale),
                        end: MediaTime(value: time, timescale: media.timescale), settings: settings, text: text))
            }
        }
        return cues
    }

    /// Start of the first sample in the track's timescale.
    private func start(
        of track: MovieContents.Track, _ media: MovieContents.Track.Media, in movie: MovieContents
    ) throws -> Int64 {
        guard let header = movie.boxes.first("mvhd"), let edits = track.children.first("edts"),
            let list = try edits.children().first("elst")
        else { return 0 }
        var (version, _, rest) = try header.fullBox()
        let movieTimescale = try rest.readTimescaleAndDuration(version: version, of: header).timescale
        // An edit list that cuts media cannot be expressed as an offset, so it is ignored.
        guard
            let edit = try? EditListParser(
                box: list, movieTimescale: movieTimescale, timescale: media.timescale
            ).parse()
        else { return 0 }
        return edit.emptyDuration.converted(to: media.timescale).value.subtractingSaturating(edit.mediaTime)
    }

    private func texts(of sample: ByteBuffer, at offset: Int64) -> [(settings: String, text: String)] {
        switch format {
        case .timedText: return [("", sample.timedText)]
        case .webVTT:
            let header = BoxHeader(
                type: "wvtt", offset: offset, headerByteCount: 0, byteCount: Int64(sample.readableBytes))
            let boxes = (try? Box(header: header, payload: sample).children()) ?? []
            return boxes.filter { $0.type == "vttc" }.map { cue in
                let parts = (try? cue.children()) ?? []
                func text(_ type: FourCC) -> String {
                    (try? parts.first(type)?.payload()).map { String(buffer: $0) } ?? ""
                }
                return (text("sttg"), text("payl"))
            }
        }
    }
}
