/// The parameter sets of one kind that are in force, keyed by their identifiers.
struct ParameterSetList: Sendable {
    private var entries: [(identifier: UInt32, bytes: [UInt8])] = []
    private let maximumCount: Int

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    var sets: [[UInt8]] { entries.map(\.bytes) }
    var isEmpty: Bool { entries.isEmpty }

    func contains(_ bytes: [UInt8]) -> Bool { entries.contains { $0.bytes == bytes } }

    /// - Returns: whether the set was stored; false if the list is full.
    mutating func insert(_ bytes: [UInt8], identifier: UInt32) -> Bool {
        if let index = entries.firstIndex(where: { $0.identifier == identifier }) {
            entries[index].bytes = bytes
        } else if entries.count < maximumCount {
            entries.append((identifier, bytes))
        } else {
            return false
        }
        return true
    }
}
