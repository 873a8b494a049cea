import CLibAV
import Glibc
import LibAV

/// A test card: colour bars, a title, a clock with hundredths of a second, and a moving zone plate, which is as
/// demanding for an encoder as ordinary video. Belongs to one thread.
struct TestCard {
    private let width: Int
    private let height: Int
    private let frameRate: Double
    private let title: String
    /// Everything that does not move.
    private let background: Frame
    /// The phase of each pixel of the zone plate, out of 256.
    private let phases: [UInt8]
    /// The rows of the zone plate.
    private let plate: Range<Int>

    private static let wave: [UInt8] = (0..<256).map { index in
        UInt8(clamping: Int((126 + 90 * sin(2 * Double.pi * Double(index) / 256)).rounded()))
    }

    /// Luma and chroma at 75 % (ITU-R BT.601): white, yellow, cyan, green, magenta, red, blue.
    private static let bars: [(luma: UInt8, blue: UInt8, red: UInt8)] = [
        (180, 128, 128), (162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198), (65, 100, 212), (35, 212, 114),
    ]
    private static let black: UInt8 = 16
    private static let white: UInt8 = 235

    init(_ encoding: BroadcastEncoding, title: String) throws(LibAVError) {
        width = max(32, encoding.width / 2 * 2)
        height = max(32, encoding.height / 2 * 2)
        frameRate = max(1, encoding.frameRate)
        self.title = title
        plate = (height * 5 / 8)..<height
        background = try Frame.video(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        background.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        phases = Self.phases(width: width, height: plate.count)
        drawBackground()
    }

    /// Encodes one frame after the other until the capture is stopped.
    func run(
        _ encoder: BroadcastVideoEncoder, clock: BroadcastClock, control: BroadcastControl, origin: Int64
    ) throws(LibAVError) {
        var count = 0
        while true {
            let time = Int64((Double(count) * 1_000_000 / frameRate).rounded())
            guard clock.wait(until: origin + time, control) else { break }
            // Frames that this machine is too slow for are dropped evenly.
            let lateness = clock.now() - origin - time
            if lateness > Punctuality.maximumLatenessMicroseconds {
                let skipped = Int(Double(lateness) * frameRate / 1_000_000)
                control.count { $0.lateFrameCount += skipped }
                count += skipped
                continue
            }
            try encoder.encode(try frame(number: count), at: time)
            count += 1
        }
        try encoder.finish()
    }

    // MARK: Drawing

    /// Draws the frame with a number, counted from 0.
    func frame(number: Int) throws(LibAVError) -> Frame {
        let card = try Frame.video(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        card.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        card.copyPlanes(of: background)
        let target = card.pointer.pointee
        guard let luma = target.data.0 else { return card }
        let stride = Int(target.linesize.0)
        // One revolution in two seconds: too fast for the eye, not for motion search.
        let shift = UInt8(truncatingIfNeeded: Int(Double(number) * 128 / frameRate))
        phases.withUnsafeBufferPointer { phases in
            Self.wave.withUnsafeBufferPointer { wave in
                for row in plate {
                    let line = luma + row * stride
                    let first = (row - plate.lowerBound) * width
                    for column in 0..<width { line[column] = wave[Int(phases[first + column] &+ shift)] }
                }
            }
        }
        drawText(clockText(number: number), into: luma, stride: stride, centreRow: height * 4 / 8, scale: scale)
        return card
    }

    private var scale: Int { max(1, height / 90) }

    /// The time since the start in hours, minutes, seconds and hundredths.
    private func clockText(number: Int) -> String {
        let hundredths = Int(Double(number) * 100 / frameRate)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return two(hundredths / 360_000) + ":" + two(hundredths / 6_000 % 60) + ":" + two(hundredths / 100 % 60) + "."
            + two(hundredths % 100)
    }

    private static func phases(width: Int, height: Int) -> [UInt8] {
        var phases = [UInt8](repeating: 0, count: width * height)
        // The spatial frequency rises up to half of the pixels' limit, at the corners.
        let scale = 128.0 / Double(max(width, height))
        for row in 0..<height {
            let vertical = Double(row - height / 2)
            for column in 0..<width {
                let horizontal = Double(column - width / 2)
                let phase = (horizontal * horizontal + vertical * vertical) * scale
                phases[row * width + column] = UInt8(truncatingIfNeeded: Int(phase))
            }
        }
        return phases
    }

    private func drawBackground() {
        let target = background.pointer.pointee
        guard let luma = target.data.0, let blue = target.data.1, let red = target.data.2 else { return }
        let strides = (luma: Int(target.linesize.0), blue: Int(target.linesize.1), red: Int(target.linesize.2))
        let clockRows = (height * 3 / 8)..<plate.lowerBound
        for row in 0..<height {
            for column in 0..<width {
                let bar = Self.bars[min(Self.bars.count - 1, column * Self.bars.count / width)]
                let isBar = row < clockRows.lowerBound
                luma[row * strides.luma + column] = isBar ? bar.luma : Self.black
                guard row % 2 == 0, column % 2 == 0 else { continue }
                blue[row / 2 * strides.blue + column / 2] = isBar ? bar.blue : 128
                red[row / 2 * strides.red + column / 2] = isBar ? bar.red : 128
            }
        }
        // A black background behind the letters makes them legible on every bar.
        let titleRow = height * 3 / 16
        let titleScale = min(scale, max(1, width / (max(1, title.count) * TestCardFont.advance)))
        let half = titleScale * (TestCardFont.rowCount / 2 + 2)
        for row in max(0, titleRow - half)..<min(height, titleRow + half) {
            for column in 0..<width {
                luma[row * strides.luma + column] = Self.black
                blue[row / 2 * strides.blue + column / 2] = 128
                red[row / 2 * strides.red + column / 2] = 128
            }
        }
        drawText(title, into: luma, stride: strides.luma, centreRow: titleRow, scale: titleScale)
    }

    private func drawText(
        _ text: String, into luma: UnsafeMutablePointer<UInt8>, stride: Int, centreRow: Int, scale: Int
    ) {
        let textWidth = text.count * TestCardFont.advance * scale
        var left = max(0, (width - textWidth) / 2)
        let top = max(0, centreRow - TestCardFont.rowCount * scale / 2)
        for character in text {
            for (index, bits) in TestCardFont.columns(of: character).enumerated() {
                for row in 0..<TestCardFont.rowCount where bits >> UInt8(row) & 1 == 1 {
                    fill(luma, stride: stride, left: left + index * scale, top: top + row * scale, side: scale)
                }
            }
            left += TestCardFont.advance * scale
        }
    }

    private func fill(_ luma: UnsafeMutablePointer<UInt8>, stride: Int, left: Int, top: Int, side: Int) {
        for row in top..<min(height, top + side) {
            for column in left..<max(left, min(width, left + side)) { luma[row * stride + column] = Self.white }
        }
    }
}

extension Frame {
    /// Copies the content of a frame of the same size, both in 8-bit 4:2:0.
    fileprivate func copyPlanes(of other: Frame) {
        let (target, source) = (pointer.pointee, other.pointer.pointee)
        let planes = [
            (target.data.0, target.linesize.0, source.data.0, source.linesize.0, height),
            (target.data.1, target.linesize.1, source.data.1, source.linesize.1, (height + 1) / 2),
            (target.data.2, target.linesize.2, source.data.2, source.linesize.2, (height + 1) / 2),
        ]
        for (target, targetStride, source, sourceStride, rowCount) in planes {
            guard let target, let source else { continue }
            let byteCount = Int(min(targetStride, sourceStride))
            for row in 0..<rowCount {
                memcpy(target + row * Int(targetStride), source + row * Int(sourceStride), byteCount)
            }
        }
    }
}
