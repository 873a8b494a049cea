/// The positions of a result's columns by their names. A name is looked for once in a result, not for each row: rows
/// are read in the same order of columns, so that the next name is mostly the one that followed in the row before.
///
/// It belongs to the thread that reads the result.
final class SQLColumnPositions {
    private let names: () -> [String]
    private lazy var columns = names()
    /// The names in the order in which the first row was read, with their positions.
    private var found: [(name: String, position: Int)] = []
    /// The entry of ``found`` that is expected next.
    private var next = 0

    /// - Parameter names: gives the columns' names in their order; called when a column is first read by its name.
    init(_ names: @escaping () -> [String]) { self.names = names }

    /// The position of a column, from 0; `nil` if the result has no column with this name. Case does not matter,
    /// because PostgreSQL folds names.
    func position(of name: String) -> Int? {
        if next < found.count, found[next].name == name { return advance(from: next) }
        // In the first row, columns are mostly read in the statement's order.
        let following = found.last.map { $0.position + 1 } ?? 0
        if next == found.count, following < columns.count, Self.isSame(columns[following], name) {
            return add(name, following)
        }
        if let known = found.firstIndex(where: { $0.name == name }) { return advance(from: known) }
        return columns.firstIndex { Self.isSame($0, name) }.map { add(name, $0) }
    }

    private func add(_ name: String, _ position: Int) -> Int {
        assert(columns.count { Self.isSame($0, name) } == 1, "the statement gives two columns with the name \(name)")
        if found.isEmpty { found.reserveCapacity(columns.count) }
        found.append((name: name, position: position))
        next = found.count
        return position
    }

    private func advance(from entry: Int) -> Int {
        next = entry + 1
        return found[entry].position
    }

    /// Has to be called before a row is read.
    func beginRow() { next = 0 }

    private static func isSame(_ name: String, _ other: String) -> Bool {
        if name == other { return true }
        guard name.utf8.count == other.utf8.count else { return false }
        let isSame = name.utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { lowercase(bytes[$0]) == lowercase(others[$0]) }
            }
        }
        // Texts that Swift has made are contiguous.
        return (isSame ?? nil) ?? (name.lowercased() == other.lowercased())
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// The names for the sentence about a column that is missing.
    var description: String { columns.joined(separator: ", ") }
}
