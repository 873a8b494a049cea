/// Batches the output of one thread until it waits, so that the receiver is woken once for all of it: waking is most of
/// the cost of copying a file. Belongs to one thread.
final class OutputBatch {
    /// The largest batch: an encoder that is slower than the source never waits.
    private static let maximumCount = 32

    private let target: ([BroadcastOutput]) -> Void
    private var held: [BroadcastOutput] = []

    init(_ target: @escaping ([BroadcastOutput]) -> Void) { self.target = target }

    /// The callback that adds output to the batch.
    var emit: (BroadcastOutput) -> Void {
        { [self] output in
            held.append(output)
            if held.count >= Self.maximumCount { release() }
        }
    }

    /// Passes on the batch.
    func release() {
        guard !held.isEmpty else { return }
        let all = held
        held = []
        target(all)
    }
}
