/// Numbers that mostly come in runs of the same one, such as the durations of a track's samples: a run costs eight
/// bytes, however long it is.
package struct RunLengthArray: Sendable, Hashable {
    private var values: [UInt32] = []
    /// Where each run ends: the index of the first element behind it.
    private var ends: [UInt32] = []

    package init() {}

    /// The sum of all.
    package var total: Int64 {
        var total: Int64 = 0
        var start: UInt32 = 0
        for run in values.indices {
            total += Int64(values[run]) * Int64(ends[run] - start)
            start = ends[run]
        }
        return total
    }

    package var memoryByteCount: Int { values.count * 8 }

    /// - Parameter count: with those before, not more than ``SampleTable/maximumSampleCount``.
    package mutating func append(_ value: UInt32, count: Int = 1) {
        guard count > 0 else { return }
        if value == values.last {
            ends[ends.count - 1] += UInt32(count)
        } else {
            values.append(value)
            ends.append((ends.last ?? 0) + UInt32(count))
        }
    }

    /// There has to be one.
    mutating func replaceLast(with value: UInt32) {
        let run = ends.count - 1
        let start = run > 0 ? ends[run - 1] : 0
        if ends[run] - start == 1 {
            values.removeLast()
            ends.removeLast()
        } else {
            ends[run] -= 1
        }
        append(value)
    }

    private func run(of index: Int) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Int(ends[middle]) > index { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RunLengthArray: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.last.map(Int.init) ?? 0 }

    /// Takes as long as finding the run does; who goes through all uses the iterator.
    package subscript(index: Int) -> UInt32 {
        precondition(indices.contains(index), "an index of the array")
        return values[run(of: index)]
    }

    package struct Iterator: IteratorProtocol {
        private let array: RunLengthArray
        private var run: Int
        private var value: UInt32 = 0
        private var left: UInt32 = 0

        /// - Parameter index: of the element that comes first.
        fileprivate init(_ array: RunLengthArray, from index: Int) {
            self.array = array
            guard index < array.count else {
                run = array.values.count
                return
            }
            run = array.run(of: index)
            value = array.values[run]
            left = array.ends[run] - UInt32(index)
            run += 1
        }

        package mutating func next() -> UInt32? {
            guard hasMore() else { return nil }
            left -= 1
            return value
        }

        /// How many of the next elements are alike, and what they are; none of them is taken. `nil` behind the last.
        package mutating func peekRun() -> (value: UInt32, count: Int)? { hasMore() ? (value, Int(left)) : nil }

        /// - Parameter count: not more than ``peekRun()`` has told.
        package mutating func skip(_ count: Int) { left -= UInt32(count) }

        private mutating func hasMore() -> Bool {
            guard left == 0 else { return true }
            guard run < array.values.count else { return false }
            value = array.values[run]
            left = array.ends[run] - (run > 0 ? array.ends[run - 1] : 0)
            run += 1
            return true
        }
    }

    package func makeIterator() -> Iterator { Iterator(self, from: 0) }

    package func makeIterator(from index: Int) -> Iterator { Iterator(self, from: index) }
}
