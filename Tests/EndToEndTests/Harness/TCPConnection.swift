import Foundation
import Glibc

/// A blocking connection to 127.0.0.1, for requests that no library would send.
///
/// `@unchecked Sendable`: a test uses it from one task at a time; the descriptor never changes.
final class TCPConnection: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        var operation: String
        var code: Int32
        var description: String { "\(operation): \(String(cString: strerror(code)))" }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter timeout: seconds that a read or a write may take.
    init(port: Int, timeout: Int = 15) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(operation: "socket", code: errno) }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(operation: "connect to \(port)", code: errno) }
    }

    deinit { close(descriptor) }

    /// Closes the sending side; responses can still be read.
    func closeForWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(operation: "send", code: errno) }
            sent += count
        }
    }

    /// Receives some bytes; empty at the end of the stream.
    private func receive() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw Failure(operation: "receive", code: errno) }
        return Array(chunk.prefix(count))
    }

    /// Reads up to the first `separator`, which is not returned.
    func read(until separator: String) throws -> String {
        let mark = Array(separator.utf8)
        while true {
            if let range = buffer.firstRange(of: mark) {
                let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                return text
            }
            let more = try receive()
            guard !more.isEmpty else {
                throw Failure(operation: "the peer closed before \\(separator.debugDescription)", code: 0)
            }
            buffer += more
        }
    }

    func read(count: Int) throws -> [UInt8] {
        while buffer.count < count {
            let more = try receive()
            guard !more.isEmpty else { throw Failure(operation: "the peer closed", code: 0) }
            buffer += more
        }
        defer { buffer.removeSubrange(..<count) }
        return Array(buffer[..<count])
    }

    func readToEnd() throws -> [UInt8] {
        while true {
            let more = try receive()
            if more.isEmpty { break }
            buffer += more
        }
        defer { buffer = [] }
        return buffer
    }

    /// Returns whether the peer closes within the connection's timeout; remaining data is discarded.
    func waitForEnd() -> Bool {
        while true {
            do {
                if try receive().isEmpty { return true }
            } catch {
                return (error as? Failure)?.code == ECONNRESET
            }
        }
    }
}
