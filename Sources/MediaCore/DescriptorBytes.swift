import Foundation

/// Writes to descriptors of files. Blocks.
package enum DescriptorBytes {
    /// Writes all bytes, however many calls that takes.
    ///
    /// - Returns: false if the system refuses; `errno` has its reason.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var count = 0
            while count < buffer.count {
                let result = write(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return false }
                count += result
            }
            return true
        }
    }
}
