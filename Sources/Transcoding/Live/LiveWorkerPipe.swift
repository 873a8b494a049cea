import Glibc
import MediaCore
import NIOCore

/// A live worker's end of the pipes. Belongs to one thread.
///
/// `@unchecked Sendable`: only one thread of the process uses it.
final class LiveWorkerPipe: LiveUnitSource, @unchecked Sendable {
    private let input: Int32
    private let output: Int32
    private var received = ByteBuffer()
    private var mustConfirm = false
    private static let pieceByteCount = 64 << 10

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Waits for a request; returns `nil` at the end of the input, and if the input is damaged.
    func readRequest() -> LiveWorkerRequest? {
        guard let message = readMessage() else { return nil }
        return try? LiveWorkerRequest(type: message.type, body: message.body)
    }

    /// Waits for a message; returns `nil` at the end of the input, and if the input is damaged.
    func readMessage() -> (type: UInt8, body: ByteBuffer)? {
        while true {
            do throws(LiveWorkerMessage.Damage) {
                if let message = try LiveWorkerMessage.next(from: &received) { return message }
            } catch {
                return nil
            }
            received.discardReadBytes()
            let descriptor = input
            let count = received.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceByteCount) { bytes in
                max(0, readAgain(descriptor, bytes))
            }
            if count == 0 { return nil }
        }
    }

    func next() -> AccessUnit? {
        if mustConfirm { write(.consumed) }
        mustConfirm = true
        guard case .unit(let unit)? = readRequest() else { return nil }
        return unit
    }

    /// Writes an answer; ends the process if the server is gone.
    func write(_ answer: LiveWorkerAnswer) {
        var buffer = ByteBuffer()
        answer.write(into: &buffer)
        write(buffer)
    }

    /// Writes a message; ends the process if the server is gone.
    func write(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { bytes in
            var written = 0
            while written < bytes.count, let base = bytes.baseAddress {
                let count = Glibc.write(output, base + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                // The server is gone.
                guard count > 0 else { _exit(3) }
                written += count
            }
        }
    }

    func deliver(_ body: () -> Void) { body() }
    func noteDamagedUnit() {}
    func close() {}
    func end() {}
}

private func readAgain(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        if count < 0, errno == EINTR { continue }
        return count
    }
}
