/// The bytes of a document.
final class PDFOutput {
    private(set) var bytes: [UInt8] = []
    private(set) var isTooLarge = false
    private let maximumByteCount: Int

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    func append(_ new: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count + new.count <= maximumByteCount else {
            isTooLarge = true
            return false
        }
        bytes.append(contentsOf: new)
        return true
    }
}
