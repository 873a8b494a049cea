package import CLibAV

/// The rotation that a player must apply to the stored frames, as phones record it (the track's display matrix).
package enum FrameRotation: Int {
    case none, clockwise90, half, clockwise270

    /// Reads the rotation of a stream; angles between quarter turns are rounded to the nearest.
    package init(of stream: UnsafeMutablePointer<AVStream>) {
        var byteCount = 0
        guard let bytes = libav.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &byteCount),
            byteCount >= 9 * MemoryLayout<Int32>.size
        else {
            self = .none
            return
        }
        self.init(matrix: bytes)
    }

    /// Reads the rotation that a frame itself tells (H.264 and HEVC have a message for it).
    package init(of frame: Frame) {
        guard let data = libav.av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_DISPLAYMATRIX),
            let bytes = data.pointee.data, data.pointee.size >= 9 * MemoryLayout<Int32>.size
        else {
            self = .none
            return
        }
        self.init(matrix: bytes)
    }

    /// - Parameter bytes: a matrix of nine 32-bit numbers.
    private init(matrix bytes: UnsafeMutablePointer<UInt8>) {
        let counterclockwise = bytes.withMemoryRebound(to: Int32.self, capacity: 9) {
            libav.av_display_rotation_get($0)
        }
        guard counterclockwise.isFinite else {
            self = .none
            return
        }
        let quarters = Int((-counterclockwise / 90).rounded())
        self = FrameRotation(rawValue: (quarters % 4 + 4) % 4) ?? .none
    }

    /// True if the rotation exchanges width and height.
    package var swapsSides: Bool { self == .clockwise90 || self == .clockwise270 }

    /// Returns the rotated frame, or `source` itself if there is nothing to rotate.
    ///
    /// - Parameter source: A planar 8-bit 4:2:0 frame with even sides.
    package func apply(to source: Frame) throws(LibAVError) -> Frame {
        guard self != .none else { return source }
        let width = swapsSides ? source.height : source.width
        let height = swapsSides ? source.width : source.height
        let turned = try Frame.video(width: width, height: height, format: source.pixelFormat)
        guard libav.av_frame_copy_props(turned.pointer, source.pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory while rotating a frame")
        }
        turn(
            plane: source.pointer.pointee.data.0, source.pointer.pointee.linesize.0,
            into: turned.pointer.pointee.data.0, turned.pointer.pointee.linesize.0, width: width, height: height)
        turn(
            plane: source.pointer.pointee.data.1, source.pointer.pointee.linesize.1,
            into: turned.pointer.pointee.data.1, turned.pointer.pointee.linesize.1, width: width / 2, height: height / 2
        )
        turn(
            plane: source.pointer.pointee.data.2, source.pointer.pointee.linesize.2,
            into: turned.pointer.pointee.data.2, turned.pointer.pointee.linesize.2, width: width / 2, height: height / 2
        )
        return turned
    }

    /// Rotates one plane.
    ///
    /// - Parameters:
    ///   - width: The width of the rotated plane; `height` is its height.
    private func turn(
        plane source: UnsafeMutablePointer<UInt8>?,
        _ sourceStride: Int32,
        into target: UnsafeMutablePointer<UInt8>?,
        _ targetStride: Int32,
        width: Int,
        height: Int
    ) {
        guard let source, let target else { return }
        // The offset of the rotated plane's first pixel in the source, and the distances to its right and lower
        // neighbours.
        let stride = Int(sourceStride)
        let start: Int, right: Int, down: Int
        switch self {
        case .none: (start, right, down) = (0, 1, stride)
        case .clockwise90: (start, right, down) = ((width - 1) * stride, -stride, 1)
        case .half: (start, right, down) = ((height - 1) * stride + width - 1, -1, -stride)
        case .clockwise270: (start, right, down) = (height - 1, stride, -1)
        }
        for row in 0..<height {
            var from = start + row * down
            let line = target + row * Int(targetStride)
            for column in 0..<width {
                line[column] = source[from]
                from += right
            }
        }
    }
}
