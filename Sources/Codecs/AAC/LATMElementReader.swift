import MediaCore
package import NIOCore

/// Takes frames of AAC out of elements that begin with useSameStreamMux (AudioMuxElement, ISO/IEC 14496-3 §1.7.3.1),
/// and keeps the configuration that they hold. Nothing after that bit is aligned to bytes, so the frames are copied.
package struct LATMElementReader: Sendable, Hashable {
    /// The last configuration; `nil` before the first.
    package private(set) var configuration: LATMStreamMuxConfiguration?

    package init(configuration: LATMStreamMuxConfiguration? = nil) { self.configuration = configuration }

    /// - Parameter element: one whole element.
    /// - Returns: its frames; none before a configuration has come, which is no error.
    /// - Throws: `CodecError` for an element that is damaged, or of a form that is not read.
    package mutating func frames(in element: ByteBuffer) throws(CodecError) -> [ByteBuffer] {
        do {
            return try read(element)
        } catch let error as CodecError {
            throw error
        } catch {
            throw CodecError(.truncated, in: "AudioMuxElement", "ends too early")
        }
    }

    private mutating func read(_ element: ByteBuffer) throws -> [ByteBuffer] {
        var reader = BitReader(Array(element.readableBytesView))
        if try !reader.readBit() { configuration = try LATMStreamMuxConfiguration(parsing: &reader) }
        guard let configuration else { return [] }
        var frames: [ByteBuffer] = []
        for _ in 0..<configuration.subframeCount {
            var byteCount = configuration.frameByteCount ?? 0
            if configuration.frameByteCount == nil {
                var byte: UInt32
                repeat {
                    byte = try reader.readBits(8)
                    byteCount += Int(byte)
                } while byte == 255
            }
            guard byteCount * 8 <= reader.remainingBitCount else {
                throw CodecError(.truncated, in: "AudioMuxElement", "ends in a frame")
            }
            var frame = ByteBuffer()
            frame.reserveCapacity(byteCount)
            for _ in 0..<byteCount { frame.writeInteger(UInt8(try reader.readBits(8))) }
            frames.append(frame)
        }
        guard reader.remainingBitCount <= configuration.otherDataBitCount + 7 else {
            throw CodecError(.invalid, in: "AudioMuxElement", "is longer than its frames")
        }
        return frames
    }
}
