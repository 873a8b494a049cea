/// The positions of a result's columns by their names. A name is looked for once in a result, not for each row: rows
/// are read in the same order of columns, so that the next name is mostly the one that followed in the row before.
///
/// It belongs to the thread that reads the result.
final class SQLColumnPositions {
    private let names: () -> [String]
    private lazy var columns = names()
    private var found: [(name: String, position: Int)] = []
    /// The entry of ``found`` that is expected next.
    private var next = 0

    /// - Parameter names: gives the columns' names in their order; called when a column is first read by its name.
    init(_ names: @escaping () -> [String]) { self.names = names }

    /// The position of a column, from 0; `nil` if the result has no column with this name. Case does not matter,
    /// because PostgreSQL folds names.
    func position(of name: String) -> Int? {
        if next < found.count, found[next].name == name { return advance(from: next) }
        if let known = found.firstIndex(where: { $0.name == name }) { return advance(from: known) }
        guard let position = search(name) else { return nil }
        found.append((name: name, position: position))
        return advance(from: found.count - 1)
    }

    private func advance(from entry: Int) -> Int {
        next = entry + 1 == found.count ? 0 : entry + 1
        return found[entry].position
    }

    /// Begins after the column that was found last, because columns are mostly read in the statement's order.
    private func search(_ name: String) -> Int? {
        assert(columns.count { Self.isSame($0, name) } <= 1, "the statement gives two columns with the name \(name)")
        let start = (found.last?.position ?? -1) + 1
        return (start..<columns.count).first { Self.isSame(columns[$0], name) }
            ?? columns.indices.prefix(start).first { Self.isSame(columns[$0], name) }
    }

    private static func isSame(_ name: String, _ other: String) -> Bool {
        name == other
            || name.utf8.count == other.utf8.count
                && zip(name.utf8, other.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The names for the sentence about a column that is missing.
    var description: String { columns.joined(separator: ", ") }
}
