import MediaCore
import NIOCore

extension MovieIndex {
    package static let maximumTrackCount = 64
    /// A day of one-second fragments, several times over; each costs one small read.
    package static let maximumFragmentCount = 500_000
    /// A fragment's `moof` describes some seconds.
    package static let maximumMovieFragmentByteCount: Int64 = 16 << 20

    /// Reads the index of a progressive or fragmented MP4 or MOV file.
    ///
    /// - Throws: ``ISOBMFFError`` with box and byte offset; whatever `file` throws.
    package static func read(
        from file: some RandomAccessData, damagedTracks: DamagedTrackPolicy = .refuse
    ) throws -> MovieIndex {
        guard file.byteCount > 0 else {
            throw ISOBMFFError(.notISOBaseMedia, at: 0, "the file is empty")
        }
        try requireKnownFirstBox(of: file)
        var index: MovieIndex?
        var fragments: FragmentedTracks?
        var fragmentCount = 0
        var offset: Int64 = 0
        while offset < file.byteCount {
            let header: BoxHeader
            do {
                header = try readHeader(from: file, at: offset)
            } catch let error as ISOBMFFError where index.map({ $0.isFragmented && fragmentCount > 0 }) == true {
                // A recording whose writer was killed: what is whole plays.
                if error.code == .truncated { break }
                throw error
            }
            switch header.type {
            case "moov" where index == nil:
                let movie = try MovieBoxParser(
                    box: Box(header: header, in: file), fileByteCount: file.byteCount, damagedTracks: damagedTracks
                ).parse()
                index = movie.index
                if movie.index.isFragmented { fragments = FragmentedTracks(movie) }
            case "moof":
                fragmentCount += 1
                guard fragmentCount <= maximumFragmentCount else {
                    throw ISOBMFFError(.limitExceeded, box: "moof", at: offset, "more than \(maximumFragmentCount)")
                }
                let box = try readBox(header, from: file, limit: maximumMovieFragmentByteCount)
                try fragments?.append(box, fileByteCount: file.byteCount)
            default: break
            }
            // Nothing behind the moov of a progressive file is needed.
            if let index, !index.isFragmented { break }
            offset = header.endOffset
        }
        guard var index else {
            throw ISOBMFFError(
                .truncated, box: "moov", "the file has no movie box; it is cut off or still being written")
        }
        if let fragments { index.tracks = fragments.tracks }
        for (position, track) in index.tracks.enumerated() where track.track.mediaType == .video {
            guard let configuration = track.configuration else { continue }
            let detection = SyncSampleDetection(configuration: configuration, samples: track.samples)
            if let flags = try detection.syncFlags(reading: file) { index.tracks[position].samples.syncFlags = flags }
        }
        return index
    }

    /// Whether ``read(from:)`` costs one read of at most `maximumByteCount`: the file is progressive, and its `moov`
    /// is among its first boxes and not larger.
    ///
    /// - Throws: as ``read(from:)`` does.
    package static func isReadAtOnce(_ file: some RandomAccessData, maximumByteCount: Int64) throws -> Bool {
        var hasMovie = false
        var offset: Int64 = 0
        for _ in 0..<maximumBoxCountAtOnce where offset < file.byteCount {
            let header = try readHeader(from: file, at: offset)
            switch header.type {
            case "moov":
                guard header.byteCount <= maximumByteCount else { return false }
                hasMovie = true
            case "mdat" where hasMovie: return true
            case "moof", "sidx", "styp": return false
            default: break
            }
            offset = header.endOffset
        }
        return hasMovie && offset >= file.byteCount
    }

    /// Writers put two or three boxes beside `moov` and `mdat`; each costs a small read to step over.
    private static let maximumBoxCountAtOnce = 16

    static func readHeader(from file: some RandomAccessData, at offset: Int64) throws -> BoxHeader {
        let available = min(Int64(BoxHeader.maximumHeaderByteCount), file.byteCount - offset)
        let bytes = try file.read(at: offset, count: Int(available))
        return try BoxHeader(parsing: bytes, at: offset, enclosedBy: file.byteCount)
    }

    private static func readBox(_ header: BoxHeader, from file: some RandomAccessData, limit: Int64) throws -> Box {
        guard header.byteCount <= limit else {
            throw ISOBMFFError(
                .limitExceeded, box: header.type, at: header.offset,
                "\(header.byteCount) bytes, more than \(limit)")
        }
        let payload = try file.read(at: header.payloadOffset, count: Int(header.payloadByteCount))
        return Box(header: header, payload: payload)
    }

    /// A text file named .mp4 is told so, instead of "claims 1.2 GB where only 300 bytes are left".
    private static func requireKnownFirstBox(of file: some RandomAccessData) throws {
        let known: Set<FourCC> = ["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid", "moof"]
        let start = try file.read(at: 0, count: Int(min(8, file.byteCount)))
        guard let word = start.getInteger(at: start.readerIndex + 4, as: UInt32.self) else { return }
        let type = FourCC(rawValue: word)
        guard known.contains(type) else {
            throw ISOBMFFError(.notISOBaseMedia, at: 0, "not an MP4 or MOV file: its first box is '\(type)'")
        }
    }
}
