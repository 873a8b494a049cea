import CLibAV

/// Embedded cover art.
package struct CoverImage: Sendable {
    /// Larger pictures are no covers; a page that lists them would suffer.
    package static let maximumByteCount = 16 << 20

    package var bytes: [UInt8]
    /// Without dot: `jpg`, `png`, `gif` or `webp`, told from the bytes.
    package var fileExtension: String
}

extension InputFile {
    package var hasAttachedPicture: Bool { streams.contains(where: \.isAttachedPicture) }

    /// The first embedded picture in a format that browsers show; `nil` where there is none.
    package func coverImage() -> CoverImage? {
        for info in streams where info.isAttachedPicture {
            let packet = stream(info).pointee.attached_pic
            guard let data = packet.data, (1...CoverImage.maximumByteCount).contains(Int(packet.size)) else { continue }
            let bytes = Array(UnsafeBufferPointer(start: data, count: Int(packet.size)))
            if let fileExtension = Self.imageExtension(bytes) {
                return CoverImage(bytes: bytes, fileExtension: fileExtension)
            }
        }
        return nil
    }

    private static func imageExtension(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "jpg" }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "png" }
        if bytes.starts(with: "GIF8".utf8) { return "gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "webp" }
        return nil
    }
}

/// Chooses a telling picture of a title and makes a JPEG of it.
package struct PosterMaking {
    /// Where to look, as shares of the duration: about a tenth in, past the opening titles, and elsewhere if that is
    /// dark.
    private static let candidatePositions = [0.1, 0.2, 0.05, 0.35, 0.6, 0]
    /// Packets read for one candidate: enough for a long group of pictures to start and a decoder to fill.
    private static let maximumPacketCount = 600
    /// Variance of luma (0 to 255) of a picture that shows something; the search ends there.
    private static let goodVariance = 1500.0
    private static let thumbnailWidth = 64
    private static let thumbnailHeight = 36

    private let input: InputFile

    package init(_ input: InputFile) { self.input = input }

    /// - Parameter width: The poster's at most; it is never wider than the source.
    /// - Returns: A JPEG file's bytes.
    package func jpeg(width: Int) throws(LibAVError) -> [UInt8] {
        guard let info = input.mainStream(.video) else {
            throw LibAVError(.noMedia, file: input.name, "holds no picture")
        }
        input.readOnly([info])
        let decoder = try Decoder(
            input.stream(info), codecName: info.codecName, file: input.name, threadCount: 1)
        var best: (frame: Frame, variance: Double)?
        for position in Self.candidatePositions {
            guard let frame = try candidate(at: position, info, decoder) else { continue }
            let variance = try lumaVariance(of: frame)
            if variance > best?.variance ?? -1 { best = (frame, variance) }
            if variance >= Self.goodVariance { break }
        }
        guard let best else {
            throw LibAVError(.damaged, file: input.name, "has no picture that can be decoded")
        }
        return try encode(best.frame, info, maximumWidth: width)
    }

    private func candidate(at position: Double, _ info: StreamInfo, _ decoder: Decoder) throws(LibAVError) -> Frame? {
        let offset = Int64(Double(input.durationMicroseconds ?? 0) * position)
        // Where a file cannot be sought, the next pictures have to do.
        if input.seek(toMicroseconds: input.startMicroseconds + offset) { decoder.flush() }
        let packet = try Packet()
        var found: Frame?
        for _ in 0..<Self.maximumPacketCount {
            let hasMore = try input.read(into: packet)
            if hasMore, packet.streamIndex != info.index { continue }
            try decoder.decode(hasMore ? packet : nil) { frame throws(LibAVError) in
                if found == nil { found = try frame.reference() }
            }
            if !hasMore { decoder.flush() }
            if found != nil || !hasMore { break }
        }
        return found
    }

    private func lumaVariance(of frame: Frame) throws(LibAVError) -> Double {
        let small = try Scaler(file: input.name).scale(
            frame, width: Self.thumbnailWidth, height: Self.thumbnailHeight, format: AV_PIX_FMT_GRAY8)
        guard let luma = small.pointer.pointee.data.0 else { return 0 }
        var sum = 0
        var squares = 0
        for row in 0..<Self.thumbnailHeight {
            for column in 0..<Self.thumbnailWidth {
                let value = Int(luma[row * Int(small.pointer.pointee.linesize.0) + column])
                sum += value
                squares += value * value
            }
        }
        let count = Double(Self.thumbnailWidth * Self.thumbnailHeight)
        let mean = Double(sum) / count
        return Double(squares) / count - mean * mean
    }

    private func encode(_ frame: Frame, _ info: StreamInfo, maximumWidth: Int) throws(LibAVError) -> [UInt8] {
        let stream = input.stream(info)
        let ratio = libav.av_guess_sample_aspect_ratio(input.context, stream, frame.pointer).positive?.value ?? 1
        let rotation = PictureRotation(of: stream)
        // Wild ratios are a damaged file's.
        let shownWidth = Double(frame.width) * min(max(ratio, 0.1), 10)
        let turnedWidth = rotation.swapsSides ? Double(frame.height) : shownWidth
        let scale = min(1, Double(max(2, maximumWidth)) / turnedWidth)
        let width = max(2, Int(shownWidth * scale) / 2 * 2)
        let height = max(2, Int(Double(frame.height) * scale) / 2 * 2)
        let scaled = try Scaler(file: input.name).scale(
            frame, width: width, height: height, format: AV_PIX_FMT_YUVJ420P)
        let upright = try rotation.apply(to: scaled)
        let encoder = try Encoder.jpeg(width: upright.width, height: upright.height, file: input.name)
        upright.presentationTime = 0
        upright.pointer.pointee.quality = encoder.context.pointee.global_quality
        upright.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
        var bytes: [UInt8] = []
        try encoder.encode(upright) { packet in bytes.append(contentsOf: packet.bytes) }
        try encoder.encode(nil) { packet in bytes.append(contentsOf: packet.bytes) }
        guard !bytes.isEmpty else { throw LibAVError(.damaged, file: input.name, "gave no poster") }
        return bytes
    }
}
