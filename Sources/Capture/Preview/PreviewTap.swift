import CLibAV
import LibAV

/// Emits a small image now and then. Belongs to one thread.
final class PreviewTap {
    private let control: BroadcastControl
    private let name: String
    private let emit: (BroadcastOutput) -> Void
    private let scaler: Scaler
    /// The time of the next image, in microseconds.
    private var nextTime: Int64 = 0

    init(control: BroadcastControl, name: String, emit: @escaping (BroadcastOutput) -> Void) {
        self.control = control
        self.name = name
        self.emit = emit
        scaler = Scaler(file: name)
    }

    /// Returns whether an image is wanted at that time.
    func isDue(at time: Int64) -> Bool { control.preview != nil && time >= nextTime }

    /// Emits an image of a frame if one is due.
    func show(_ frame: Frame, at time: Int64) throws(LibAVError) {
        guard let request = control.preview, time >= nextTime else { return }
        nextTime = time + Int64(1_000_000 / max(0.1, request.framesPerSecond))
        let scale = min(
            1, Double(request.width) / Double(max(1, frame.width)),
            Double(request.height) / Double(max(1, frame.height)))
        func even(_ side: Int, limit: Int) -> Int {
            max(2, min(Int((Double(side) * scale / 2).rounded()) * 2, limit / 2 * 2))
        }
        let width = even(frame.width, limit: request.width)
        let height = even(frame.height, limit: request.height)
        let bytes =
            switch request.form {
            case .rgb: try rgb(frame, width: width, height: height)
            case .jpeg: try jpeg(frame, width: width, height: height)
            }
        emit(.preview(PreviewImage(width: width, height: height, bytes: bytes)))
    }

    private func rgb(_ frame: Frame, width: Int, height: Int) throws(LibAVError) -> [UInt8] {
        let small = try scaler.scale(frame, width: width, height: height, format: AV_PIX_FMT_RGB24)
        guard let data = small.pointer.pointee.data.0 else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for row in 0..<height {
            let line = UnsafeBufferPointer(start: data + row * Int(small.pointer.pointee.linesize.0), count: width * 3)
            bytes.append(contentsOf: line)
        }
        return bytes
    }

    private func jpeg(_ frame: Frame, width: Int, height: Int) throws(LibAVError) -> [UInt8] {
        let small = try scaler.scale(frame, width: width, height: height, format: AV_PIX_FMT_YUVJ420P)
        return try small.jpeg(file: name)
    }
}
