import Codecs
import Dispatch
import MediaCore
import NIOCore
import Synchronization

/// Parses `moov` (ISO/IEC 14496-12 §8.2).
struct MovieBoxParser {
    let box: Box
    let fileByteCount: Int64
    let damagedTracks: MovieIndex.DamagedTrackPolicy

    func parse() throws(ISOBMFFError) -> ParsedMovie {
        let children = try box.children()
        let duration = try parseMovieHeader(try children.required("mvhd", in: box))
        var trackExtends: [UInt32: TrackExtends] = [:]
        if let mvex = children.first("mvex") {
            for trex in try mvex.children() where trex.type == "trex" {
                let (trackID, defaults) = try parseTrackExtends(trex)
                trackExtends[trackID] = defaults
            }
        }
        let trackBoxes = children.filter { $0.type == "trak" }
        guard trackBoxes.count <= MovieIndex.maximumTrackCount else {
            throw ISOBMFFError(
                .limitExceeded, box: box.type, at: box.header.offset,
                "the movie has \(trackBoxes.count) tracks; the limit is \(MovieIndex.maximumTrackCount)")
        }
        let metadata = try? MovieMetadata(parsing: children.first("udta"))
        var index = MovieIndex(
            tracks: [], duration: duration, isFragmented: children.first("mvex") != nil, title: metadata?.title,
            artist: metadata?.artist, album: metadata?.album)
        for case let result? in parse(trackBoxes, movieTimescale: duration.timescale) {
            do throws(ISOBMFFError) {
                if let track = try result.get() { index.tracks.append(track) }
            } catch {
                guard damagedTracks == .leaveOut, error.concernsOneTrack else { throw error }
                index.unreadTracks.append(DamagedTrack.text(ofTrackOfUnknownKind: error))
            }
        }
        let auxiliary = Self.auxiliaryTrackIDs(trackBoxes)
        for position in index.tracks.indices where auxiliary.contains(index.tracks[position].track.id) {
            index.tracks[position].isAuxiliary = true
        }
        return ParsedMovie(index: index, trackExtends: trackExtends)
    }

    /// IDs of tracks that declare themselves auxiliary to another one, and of tracks that others reference as
    /// chapters.
    private static func auxiliaryTrackIDs(_ trackBoxes: [Box]) -> Set<UInt32> {
        let tracks = trackBoxes.compactMap { box in
            (try? box.children()).map { MovieContents.Track(box: box, children: $0) }
        }
        let chapters = (try? MovieContents.chapterTrackIDs(tracks)) ?? []
        return chapters.union(
            tracks.compactMap { track in
                guard let references = try? track.children.first("tref")?.children(), references.first("auxl") != nil
                else { return nil }
                return try? track.id()
            })
    }

    /// Parses all tracks in parallel: a film's sample tables are millions of numbers, and its first viewer waits for
    /// them.
    private func parse(
        _ trackBoxes: [Box], movieTimescale: Timescale
    ) -> [Result<MovieTrack?, ISOBMFFError>?] {
        let results = Mutex<[Result<MovieTrack?, ISOBMFFError>?]>(Array(repeating: nil, count: trackBoxes.count))
        let sampleLimit = SampleLimit(SampleTable.maximumSampleCount)
        DispatchQueue.concurrentPerform(iterations: trackBoxes.count) { index in
            let parser = TrackBoxParser(
                box: trackBoxes[index], movieTimescale: movieTimescale, fileByteCount: fileByteCount,
                sampleLimit: sampleLimit, damagedTracks: damagedTracks)
            let result = Result { () throws(ISOBMFFError) in try parser.parse() }
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0 }
    }

    private func parseMovieHeader(_ box: Box) throws(ISOBMFFError) -> MediaTime {
        var (version, _, rest) = try box.fullBox()
        return try rest.readTimescaleAndDuration(version: version, of: box)
    }

    private func parseTrackExtends(_ box: Box) throws(ISOBMFFError) -> (UInt32, TrackExtends) {
        var rest = try box.fullBox().rest
        let trackID = try rest.readField(UInt32.self, of: box)
        try rest.skipField(4, of: box)
        return (
            trackID,
            TrackExtends(
                defaultDuration: try rest.readField(UInt32.self, of: box),
                defaultByteCount: try rest.readField(UInt32.self, of: box),
                defaultFlags: try rest.readField(UInt32.self, of: box))
        )
    }
}

extension ByteBuffer {
    /// Reads the fields that `mvhd` (ISO/IEC 14496-12 §8.2.2) and `mdhd` (§8.4.2) have in common after version and
    /// flags.
    mutating func readTimescaleAndDuration(version: UInt8, of box: Box) throws(ISOBMFFError) -> MediaTime {
        try skipField(version == 1 ? 16 : 8, of: box)
        guard let timescale = Timescale(checking: try readField(UInt32.self, of: box)) else {
            throw box.invalid("has a timescale of zero")
        }
        let duration: Int64
        if version == 1 {
            let value = try readField(UInt64.self, of: box)
            duration = value == .max ? 0 : Int64(clamping: value)
        } else {
            let value = try readField(UInt32.self, of: box)
            duration = value == .max ? 0 : Int64(value)
        }
        return MediaTime(value: duration, timescale: timescale)
    }
}
