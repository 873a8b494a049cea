/// An array of numbers that mostly repeat, such as the durations of a track's samples. Each run of equal numbers
/// takes eight bytes, whatever its length.
package struct RunLengthArray: Sendable, Hashable {
    private var values: [UInt32] = []
    /// End of each run: the index of the first element after it.
    private var ends: [UInt32] = []

    package init() {}

    /// Sum of all elements.
    package var total: Int64 {
        var total: Int64 = 0
        var start: UInt32 = 0
        for run in values.indices {
            total += Int64(values[run]) * Int64(ends[run] - start)
            start = ends[run]
        }
        return total
    }

    /// Memory use of the elements in bytes.
    package var memoryByteCount: Int { values.count * 8 }

    /// Appends a run of equal elements.
    ///
    /// - Parameters:
    ///   - value: the element.
    ///   - count: the resulting array must not have more than ``SampleTable/maximumSampleCount`` elements.
    package mutating func append(_ value: UInt32, count: Int = 1) {
        guard count > 0 else { return }
        if value == values.last {
            ends[ends.count - 1] += UInt32(count)
        } else {
            values.append(value)
            ends.append((ends.last ?? 0) + UInt32(count))
        }
    }

    /// Replaces the last element; the array must not be empty.
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

    /// Index of the run that holds an element, found by binary search.
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

    /// Finds the run by binary search; use the iterator to visit all elements.
    package subscript(index: Int) -> UInt32 {
        precondition(indices.contains(index), "the index is within the array")
        return values[run(of: index)]
    }

    /// Visits the elements in order without a search for each.
    package struct Iterator: IteratorProtocol {
        private let array: RunLengthArray
        private var run: Int
        private var value: UInt32 = 0
        private var left: UInt32 = 0

        /// - Parameter index: index of the element to begin with.
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

        /// The next run of equal elements and its length, without consuming it; `nil` at the end.
        package mutating func peekRun() -> (value: UInt32, count: Int)? { hasMore() ? (value, Int(left)) : nil }

        /// Consumes elements.
        ///
        /// - Parameter count: at most the count that ``peekRun()`` returned.
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

    /// An iterator that starts at `index`.
    package func makeIterator(from index: Int) -> Iterator { Iterator(self, from: index) }
}
