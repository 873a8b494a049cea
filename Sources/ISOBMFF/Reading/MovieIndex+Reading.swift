import MediaCore
import NIOCore

extension MovieIndex {
    /// Limit on the tracks of a movie, far above any real file.
    package static let maximumTrackCount = 64
    /// Limit on fragments: several days of one-second fragments. Each of them costs one small read.
    package static let maximumFragmentCount = 500_000
    /// Size limit in bytes for a `prft`, which has 32.
    private static let maximumReferenceTimeByteCount: Int64 = 256
    /// Size limit in bytes for a `moof`, which describes a few seconds.
    package static let maximumMovieFragmentByteCount: Int64 = 16 << 20

    /// Reads the index of a progressive or fragmented MP4 or MOV file.
    ///
    /// - Throws: ``ISOBMFFError`` with box and byte offset, and any error that `file` throws.
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
                // The writer of this recording was killed; the complete fragments are usable.
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
            case "prft" where fragments != nil && header.byteCount <= maximumReferenceTimeByteCount:
                // A file can be played without its dates.
                let box = try readBox(header, from: file, limit: maximumReferenceTimeByteCount)
                if let reference = try? ProducerReferenceTime(parsing: box) { fragments?.note(reference) }
            case "moof":
                fragmentCount += 1
                guard fragmentCount <= maximumFragmentCount else {
                    throw ISOBMFFError(
                        .limitExceeded, box: "moof", at: offset,
                        "the file has more than \(maximumFragmentCount) fragments")
                }
                let box = try readBox(header, from: file, limit: maximumMovieFragmentByteCount)
                try fragments?.append(box, fileByteCount: file.byteCount)
            default: break
            }
            // In a progressive file, nothing after the moov is needed.
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

    /// Whether ``read(from:damagedTracks:)`` needs only one large read, of at most `maximumByteCount` bytes: the file
    /// is progressive, and its `moov` is among the first boxes and not larger than that.
    ///
    /// - Throws: the same errors as ``read(from:damagedTracks:)``.
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
            case "moof", "sidx", "styp", "prft": return false
            default: break
            }
            offset = header.endOffset
        }
        return hasMovie && offset >= file.byteCount
    }

    /// Limit on boxes to step over, each of which costs a small read. Writers put two or three boxes next to `moov`
    /// and `mdat`.
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
                "the box has \(header.byteCount) bytes; the limit is \(limit)")
        }
        let payload = try file.read(at: header.payloadOffset, count: Int(header.payloadByteCount))
        return Box(header: header, payload: payload)
    }

    /// Rejects other kinds of files with a clear message. For a text file named .mp4, the error would otherwise be
    /// about the size of a box.
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
