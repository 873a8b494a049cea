import Codecs
import Glibc
import MediaCore
import NIOCore

/// The body of `antena live-worker`: decodes and encodes one track of a publisher in a process that has given up
/// everything else. Units come on standard input, and what is made of them goes to standard output.
package enum LiveWorker {
    /// libav's libraries map about 300 MB; a VP9 decoder and an encoder of 1440p take some 200 MB.
    private static let maximumAddressSpaceByteCount = 1536 << 20
    private static let maximumDescriptorCount = 16

    /// Returns the exit status: 0 at the end of the input, 1 after a failure that the server was told, 2 when there was no
    /// request to understand.
    package static func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let pipe = LiveWorkerPipe(input: STDIN_FILENO, output: STDOUT_FILENO)
        guard case .begin(let codec, let timescale)? = pipe.readRequest() else { return 2 }
        do throws(LibAVError) {
            try codec.requirePlausibleShape()
            // Before the confinement, which lets nothing be opened.
            try LibAVRuntime.load()
        } catch {
            pipe.write(.output(.failed(error.description)))
            return 1
        }
        if let reason = confine() {
            pipe.write(.output(.failed("the live worker cannot be confined: \(reason)")))
            return 1
        }
        LiveTranscodingWorker(codec: codec, timescale: timescale, limits: .standard, queue: pipe) { output in
            pipe.write(.output(output))
        }.runOnThisThread()
        return 0
    }

    /// - Returns: the reason when something cannot be given up.
    private static func confine() -> String? {
        let limits: [(resource: UInt32, value: Int)] = [
            (UInt32(RLIMIT_AS.rawValue), maximumAddressSpaceByteCount), (UInt32(RLIMIT_FSIZE.rawValue), 0),
            (UInt32(RLIMIT_NOFILE.rawValue), maximumDescriptorCount), (UInt32(RLIMIT_CORE.rawValue), 0),
        ]
        for limit in limits {
            var value = rlimit()
            let resource = __rlimit_resource_t(limit.resource)
            guard getrlimit(resource, &value) == 0 else { return String(cString: strerror(errno)) }
            value.rlim_max = min(rlim_t(limit.value), value.rlim_max)
            value.rlim_cur = value.rlim_max
            guard setrlimit(resource, &value) == 0 else { return String(cString: strerror(errno)) }
        }
        return LibAVRuntime.confine(readable: nil, writableFolder: nil)
    }
}

/// A live worker's end of the pipes. Belongs to one thread.
///
/// `@unchecked Sendable`: the process has one thread that uses it.
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

    /// Waits for a request; `nil` at the end of the input.
    func readRequest() -> LiveWorkerRequest? {
        while true {
            do throws(LiveWorkerMessage.Damage) {
                if let message = try LiveWorkerMessage.next(from: &received) {
                    return try LiveWorkerRequest(type: message.type, body: message.body)
                }
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

    func write(_ answer: LiveWorkerAnswer) {
        var buffer = ByteBuffer()
        answer.write(into: &buffer)
        buffer.withUnsafeReadableBytes { bytes in
            var written = 0
            while written < bytes.count, let base = bytes.baseAddress {
                let count = Glibc.write(output, base + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                // The server has gone.
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
