package import CEmbeddedFiles

extension AntenaEmbeddedFile {
    /// A copy of the file.
    package var content: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
}
