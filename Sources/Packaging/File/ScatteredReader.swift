import CAntenaSystem
import Glibc

/// Reads ranges of a file into consecutive memory, with few system calls.
struct ScatteredReader {
    /// The result of reading.
    enum Outcome {
        /// All ranges were read.
        case complete
        /// Some bytes would have to come from the disk.
        case notCached
        /// A system call failed.
        case failed(errno: Int32)
    }

    let descriptor: Int32
    let cachedOnly: Bool
    /// The memory to fill, with room for all ranges.
    var target: UnsafeMutableRawPointer

    /// The largest gap between two ranges of one call: reading this much for nothing is cheaper than another system
    /// call.
    static let maximumGapByteCount: Int64 = 32 << 10
    /// The largest number of vectors per call; Linux accepts 1,024 (UIO_MAXIOV).
    static let maximumVectorCount = 1_000

    /// Reads the ranges in order.
    mutating func read(_ ranges: [FileRange]) -> Outcome {
        var position = 0
        return withUnsafeTemporaryAllocation(byteCount: Int(Self.maximumGapByteCount), alignment: 16) { gap in
            while position < ranges.count {
                let outcome = readGroup(ranges, from: &position, gap: gap)
                guard case .complete = outcome else { return outcome }
            }
            return .complete
        }
    }

    /// Reads adjacent ranges in rising order, with small gaps, with one call.
    private mutating func readGroup(
        _ ranges: [FileRange], from position: inout Int, gap: UnsafeMutableRawBufferPointer
    ) -> Outcome {
        let start = ranges[position].offset
        var end = start
        var vectors: [iovec] = []
        while position < ranges.count, vectors.count < Self.maximumVectorCount {
            let range = ranges[position]
            let distance = range.offset - end
            guard distance >= 0, distance <= Self.maximumGapByteCount else { break }
            if distance > 0 { vectors.append(iovec(iov_base: gap.baseAddress, iov_len: Int(distance))) }
            vectors.append(iovec(iov_base: target, iov_len: range.byteCount))
            target += range.byteCount
            end = range.endOffset
            position += 1
        }
        return readFully(&vectors, at: start, byteCount: Int(end - start))
    }

    private func readFully(_ vectors: inout [iovec], at start: Int64, byteCount: Int) -> Outcome {
        var done = 0
        var first = 0
        while done < byteCount {
            let result = vectors.withUnsafeBufferPointer { pointer in
                antena_preadv2(
                    descriptor, pointer.baseAddress.map { $0 + first }, Int32(vectors.count - first),
                    off_t(start) + off_t(done), cachedOnly ? 1 : 0)
            }
            if result < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN where cachedOnly: return .notCached
                // File systems without RWF_NOWAIT: the caller falls back to a read that may wait.
                case EOPNOTSUPP where cachedOnly: return .notCached
                case let code: return .failed(errno: code)
                }
            }
            // The file is shorter than when it was opened.
            guard result > 0 else { return cachedOnly ? .notCached : .failed(errno: EIO) }
            done += result
            Self.drop(result, from: &vectors, first: &first)
        }
        return .complete
    }

    /// Removes bytes that are already filled from the vectors, after a short read.
    private static func drop(_ byteCount: Int, from vectors: inout [iovec], first: inout Int) {
        var rest = byteCount
        while rest > 0, first < vectors.count {
            if rest >= vectors[first].iov_len {
                rest -= vectors[first].iov_len
                first += 1
            } else {
                vectors[first].iov_base += rest
                vectors[first].iov_len -= rest
                rest = 0
            }
        }
    }
}
