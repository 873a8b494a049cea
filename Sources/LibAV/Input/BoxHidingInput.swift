import CLibAV
import Glibc

/// Gives libav a movie file in which some boxes have the type `free` (ISO/IEC 14496-12 §8.1.2), so that it passes over
/// them. The file itself stays as it is. Belongs to the thread of its ``InputFile``.
final class BoxHidingInput {
    /// The size of libav's buffer, the same as for its own file protocol.
    private static let bufferByteCount = 32 << 10
    /// A box begins with its size, of 32 bits; its type follows.
    private static let typeOffset: Int64 = 4
    private static let freeType = Array("free".utf8)

    private let descriptor: Int32
    private let byteCount: Int64
    /// Offsets of the boxes' types.
    private let hiddenTypes: [Int64]
    private let interruption: Interruption
    private var position: Int64 = 0
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// - Parameters:
    ///   - boxOffsets: of the boxes to hide, in bytes from the start of the file.
    ///   - name: of the file, for messages.
    init(
        path: String, hiding boxOffsets: [Int64], name: String, interruption: Interruption
    ) throws(LibAVError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        let isOpen = descriptor >= 0 && fstat(descriptor, &status) == 0
        byteCount = Int64(status.st_size)
        hiddenTypes = boxOffsets.filter { (0..<Int64.max - 8).contains($0) }.map { $0 + Self.typeOffset }
        self.interruption = interruption
        guard isOpen else { throw LibAVError(.unreadable, file: name, "failed while opening it") }
        guard let buffer = libav.av_mallocz(Self.bufferByteCount) else {
            throw LibAVError(.outOfMemory, file: name, "ran out of memory")
        }
        context = libav.avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount), 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, target, count in
                guard let opaque, let target else { return antena_averror(EINVAL) }
                return Unmanaged<BoxHidingInput>.fromOpaque(opaque).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(max(0, count))))
            }, nil,
            { opaque, offset, origin in
                guard let opaque else { return Int64(antena_averror(EINVAL)) }
                return Unmanaged<BoxHidingInput>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, origin)
            })
        guard context != nil else {
            libav.av_free(buffer)
            throw LibAVError(.outOfMemory, file: name, "ran out of memory")
        }
    }

    deinit {
        // libav may have put a larger buffer in place of the first one.
        if let buffer = context?.pointee.buffer { libav.av_free(buffer) }
        libav.avio_context_free(&context)
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: the number of bytes, or one of libav's error codes.
    private func read(into target: UnsafeMutableRawBufferPointer) -> Int32 {
        if interruption.isRequested { return antena_averror_exit() }
        var count = pread(descriptor, target.baseAddress, target.count, off_t(position))
        while count < 0, errno == EINTR {
            count = pread(descriptor, target.baseAddress, target.count, off_t(position))
        }
        guard count >= 0 else { return antena_averror(errno) }
        guard count > 0 else { return antena_averror_eof() }
        hide(in: UnsafeMutableRawBufferPointer(rebasing: target[..<count]))
        position += Int64(count)
        return Int32(clamping: count)
    }

    /// Overwrites what lies in the bytes at ``position`` of the types to hide; a type may lie across two reads.
    private func hide(in bytes: UnsafeMutableRawBufferPointer) {
        let range = position..<position + Int64(bytes.count)
        for start in hiddenTypes where range.overlaps(start..<start + Int64(Self.freeType.count)) {
            for (index, byte) in Self.freeType.enumerated() where range.contains(start + Int64(index)) {
                bytes[Int(start + Int64(index) - position)] = byte
            }
        }
    }

    /// - Parameter origin: `SEEK_SET` and the like, or libav's question for the size.
    /// - Returns: the new position or the size, or one of libav's error codes.
    private func seek(to offset: Int64, _ origin: Int32) -> Int64 {
        let base: Int64
        switch origin & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return byteCount
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = byteCount
        default: return Int64(antena_averror(EINVAL))
        }
        let (target, overflows) = base.addingReportingOverflow(offset)
        guard !overflows, target >= 0 else { return Int64(antena_averror(EINVAL)) }
        position = target
        return target
    }
}
