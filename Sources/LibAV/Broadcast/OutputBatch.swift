/// Gathers what one thread hands out until it waits, so that whoever takes it is woken once for all of it: waking is
/// most of what copying a file costs. Belongs to one thread.
final class OutputBatch {
    /// Held at most: an encoder that is slower than the source never waits.
    private static let maximumCount = 32

    private let target: ([BroadcastOutput]) -> Void
    private var held: [BroadcastOutput] = []

    init(_ target: @escaping ([BroadcastOutput]) -> Void) { self.target = target }

    /// For whoever makes output.
    var emit: (BroadcastOutput) -> Void {
        { [self] output in
            held.append(output)
            if held.count >= Self.maximumCount { release() }
        }
    }

    /// Hands out what is held.
    func release() {
        guard !held.isEmpty else { return }
        let all = held
        held = []
        target(all)
    }
}
