package import LibAV

/// Chooses a characteristic frame of a title and makes a JPEG of it.
package struct PosterMaking {
    /// The positions to examine, as shares of the duration: past the opening titles first, then around it.
    private static let candidatePositions = [0.1, 0.2, 0.05, 0.3, 0.15, 0.4, 0.25, 0.5]
    /// The positions in microseconds for a file of unknown duration.
    private static let candidateTimes: [Int64] = [10_000_000, 3_000_000, 30_000_000, 0]
    /// The largest number of frames between a key frame and a candidate: ten seconds, x264's default.
    private static let maximumCandidateDistance = 250
    /// The number of frames from a candidate to the one that is taken. Key frames lie at scene changes; the frame that
    /// is taken lies some frames later and is compared with the candidate to detect a fade.
    private static let settlingFrameCount = 8
    /// The largest number of frames to decode in total, which takes half a minute for 4K.
    private static let maximumFrameCount = 750
    /// The largest number of frames between a key frame and the requested frame. Titles with longer GOPs are converted
    /// and have shorter ones afterwards.
    private static let maximumFrameDistance = 3_000
    /// The largest height: a poster of a portrait video would otherwise be as high as a page.
    private static let maximumHeight = 1_280

    private let input: InputFile

    /// Creates a poster maker for an open file.
    package init(_ input: InputFile) { self.input = input }

    /// Returns the best of several frames of the first half: neither dark nor flat, blurred or in the middle of a
    /// transition.
    ///
    /// - Parameter width: The poster's maximum width in pixels; it is never wider than the source.
    /// - Returns: The bytes of a JPEG file.
    package func jpeg(width: Int) throws(LibAVError) -> [UInt8] {
        let reader = try FrameReader(input, maximumFrameCount: Self.maximumFrameCount)
        let shown = ShownFrame(input, reader.info)
        var best: (frame: Frame, score: PosterScore)?
        for time in candidateTimes where !reader.isExhausted {
            guard let candidate = try candidate(at: time, reader, shown) else { continue }
            if best.map({ candidate.score > $0.score }) ?? true { best = candidate }
            if candidate.score >= .good { break }
        }
        return try encode(best?.frame, shown, width: width)
    }

    /// Returns the frame that is presented at a time, as the bytes of a JPEG file.
    ///
    /// - Parameters:
    ///   - width: The width of the image, in pixels.
    ///   - seconds: The time in seconds from the title's start.
    package func jpeg(width: Int, atSeconds seconds: Double) throws(LibAVError) -> [UInt8] {
        let reader = try FrameReader(input, maximumFrameCount: Self.maximumFrameDistance)
        let time = Int64(exactly: (min(max(0, seconds), 1e9) * 1e6).rounded()) ?? 0
        let found = try reader.frame(at: time, limit: Self.maximumFrameDistance)
        return try encode(found?.frame, ShownFrame(input, reader.info), width: width)
    }

    /// Returns a JPEG of a file that is an image itself, turned as its camera has noted.
    package func jpegOfFirstFrame(width: Int) throws(LibAVError) -> [UInt8] {
        let (frame, shown) = try firstFrame()
        return try encode(frame, shown, width: width)
    }

    /// Returns a JPEG of the square in the middle of a file that is an image itself, without its metadata.
    ///
    /// - Parameter side: the width and height in pixels, even. A smaller image is enlarged.
    package func squareJPEGOfFirstFrame(side: Int) throws(LibAVError) -> [UInt8] {
        let (frame, shown) = try firstFrame()
        return try ShownFrame.jpeg(try shown.middleSquare(of: frame, side: side), file: input.name)
    }

    private func firstFrame() throws(LibAVError) -> (Frame, ShownFrame) {
        let reader = try FrameReader(input, maximumFrameCount: 1)
        guard let frame = try reader.next()?.frame else { throw noFrame }
        return (frame, ShownFrame(input, reader.info, rotation: FrameRotation(exifOrientationOf: frame)))
    }

    private var noFrame: LibAVError { LibAVError(.damaged, file: input.name, "has no frame that can be decoded") }

    private var candidateTimes: [Int64] {
        guard let duration = input.durationMicroseconds else { return Self.candidateTimes }
        return Self.candidatePositions.map { Int64(Double(duration) * $0) }
    }

    private func candidate(
        at time: Int64, _ reader: FrameReader, _ shown: ShownFrame
    ) throws(LibAVError) -> (frame: Frame, score: PosterScore)? {
        guard let first = try reader.frame(at: time, limit: Self.maximumCandidateDistance) else { return nil }
        var last = first.frame
        for _ in 0..<Self.settlingFrameCount {
            guard let found = try reader.next() else { break }
            last = found.frame
        }
        let earlier = last === first.frame ? nil : try shown.luma(of: first.frame)
        return (last, PosterScore(try shown.luma(of: last), earlier: earlier))
    }

    private func encode(_ frame: Frame?, _ shown: ShownFrame, width: Int) throws(LibAVError) -> [UInt8] {
        guard let frame else { throw noFrame }
        let size = shown.size(of: frame, maximumWidth: width, maximumHeight: Self.maximumHeight)
        return try ShownFrame.jpeg(try shown.scaled(frame, to: size), file: input.name)
    }
}
