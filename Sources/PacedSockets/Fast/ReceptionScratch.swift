import CAntenaSystem
import Glibc
import MediaCore
package import NIOCore

/// Memory into which the sockets of an event loop are read at ticks, one after the other. Confined to the loop.
///
/// Packets are copied once, into a buffer of about their size: the pieces that refer to it live until their frame is
/// complete, and a receive buffer for each socket would have to have the size of the largest burst.
package final class ReceptionScratch {
    /// Size limit of a datagram in bytes. RTP packets fit into the path's MTU, and jumbo frames have 9,000 bytes.
    package static let maximumDatagramByteCount = 9 * 1_024
    /// Limit of the datagrams that are read in one turn, so that one publisher does not hold up the others.
    static let maximumDatagramCount = 256
    private static let vectorCount = Int(ANTENA_DATAGRAM_COUNT)

    /// Limits on the buffers that are used again: those with packets of frames that are not complete yet, of all
    /// publishers, and those that are free.
    private static let maximumUsedBufferCount = 64
    private static let maximumSpareBufferCount = 8

    private let memory: UnsafeMutableRawBufferPointer
    private let datagrams: UnsafeMutableBufferPointer<antena_datagram>
    /// The latest sender. Nearly all datagrams of a turn come from the same one.
    private var sender: (datagram: antena_datagram, address: SocketAddress)?
    private var buffers = RecycledBuffers(
        maximumUsedCount: maximumUsedBufferCount, maximumSpareCount: maximumSpareBufferCount)

    init() {
        memory = .allocate(byteCount: Self.vectorCount * Self.maximumDatagramByteCount, alignment: 16)
        datagrams = .allocate(capacity: Self.vectorCount)
        datagrams.initialize(repeating: antena_datagram())
    }

    deinit {
        memory.deallocate()
        datagrams.deallocate()
    }

    /// Reads what waits in a stream's socket, up to a limit.
    ///
    /// - Returns: the bytes; none if nothing is waiting, or at the end of the stream, which the selector reports.
    /// - Throws: `IOError` if the connection broke.
    package func readStream(_ descriptor: CInt, allocator: ByteBufferAllocator) throws -> ByteBuffer {
        let count = antena_receive(descriptor, memory.baseAddress, memory.count)
        if count < 0 {
            let code = errno
            if code == EAGAIN || code == EINTR { return ByteBuffer() }
            throw IOError(errnoCode: code, reason: "recv")
        }
        var buffer = buffers.take(minimumCapacity: count, allocator: allocator)
        buffer.writeBytes(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        buffers.keep(buffer)
        return buffer
    }

    /// Reads the datagrams that wait in a socket, up to a limit.
    package func readDatagrams(
        _ descriptor: CInt, allocator: ByteBufferAllocator, body: (ByteBuffer, SocketAddress) -> Void
    ) {
        var total = 0
        while total < Self.maximumDatagramCount {
            let count = Int(
                antena_receive_datagrams(
                    descriptor, memory.baseAddress, Self.maximumDatagramByteCount, datagrams.baseAddress))
            guard count > 0 else { return }
            pass(count, allocator: allocator, body: body)
            total += count
            if count < Self.vectorCount { return }
        }
    }

    private func pass(_ count: Int, allocator: ByteBufferAllocator, body: (ByteBuffer, SocketAddress) -> Void) {
        let received = datagrams[..<count]
        let byteCount = received.reduce(0) { $0 + Int($1.size) }
        var all = buffers.take(minimumCapacity: byteCount, allocator: allocator)
        for index in received.indices {
            let start = index * Self.maximumDatagramByteCount
            all.writeBytes(UnsafeRawBufferPointer(rebasing: memory[start..<start + Int(received[index].size)]))
        }
        buffers.keep(all)
        for index in received.indices {
            guard let bytes = all.readSlice(length: Int(received[index].size)),
                let address = senderAddress(of: received[index])
            else { continue }
            body(bytes, address)
        }
    }

    private func senderAddress(of datagram: antena_datagram) -> SocketAddress? {
        if var sender {
            var datagram = datagram
            if antena_have_same_sender(&sender.datagram, &datagram) { return sender.address }
        }
        let bytes = withUnsafeBytes(of: datagram.address) { ByteBuffer(bytes: $0.prefix(Int(datagram.address_size))) }
        guard let address = try? SocketAddress(packedIPAddress: bytes, port: Int(datagram.port)) else { return nil }
        sender = (datagram, address)
        return address
    }
}
