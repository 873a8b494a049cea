/// The references of a frame that follow from order hints.
struct AV1ReferenceChoice {
    /// The order hints of the frames that are kept.
    let hints: [Int]
    /// The order hint of the frame itself.
    let current: Int
    let tools: AV1CodingTools

    /// Positions in the list of a frame's references (§6.10.24).
    private enum Position: Int {
        case last, last2, last3, golden, backward, alternative2, alternative
    }

    /// set_frame_refs (AV1 bitstream specification §7.8).
    ///
    /// - Parameters:
    ///   - last: the kept frame for LAST_FRAME.
    ///   - golden: the kept frame for GOLDEN_FRAME.
    func references(last: Int, golden: Int) -> [Int] {
        let distances = hints.map { tools.distance(from: current, to: $0) }
        var chosen: [Int?] = Array(repeating: nil, count: AV1FrameHeaderParser.referenceCounts.used)
        chosen[Position.last.rawValue] = last
        chosen[Position.golden.rawValue] = golden
        var free = Set(hints.indices).subtracting([last, golden])
        func choose(_ position: Position, _ index: Int?) {
            guard let index else { return }
            chosen[position.rawValue] = index
            free.remove(index)
        }
        // The last one of equal frames counts as the latest, the first one as the earliest.
        func latest(_ isWanted: (Int) -> Bool) -> Int? {
            free.filter { isWanted(distances[$0]) }.max { (distances[$0], $0) < (distances[$1], $1) }
        }
        func earliest(_ isWanted: (Int) -> Bool) -> Int? {
            free.filter { isWanted(distances[$0]) }.min { (distances[$0], $0) < (distances[$1], $1) }
        }
        choose(.alternative, latest { $0 >= 0 })
        choose(.backward, earliest { $0 >= 0 })
        choose(.alternative2, earliest { $0 >= 0 })
        for position in [Position.last2, .last3, .backward, .alternative2, .alternative]
        where chosen[position.rawValue] == nil {
            choose(position, latest { $0 < 0 })
        }
        let rest = hints.indices.min { (distances[$0], $0) < (distances[$1], $1) } ?? 0
        return chosen.map { $0 ?? rest }
    }

    /// Whether a frame with two references may skip blocks: skipModeAllowed of skip_mode_params (§5.9.22).
    ///
    /// - Parameter used: the order hints of the frame's references.
    func allowsSkipMode(_ used: [Int]) -> Bool {
        func distance(of hint: Int) -> Int { tools.distance(from: current, to: hint) }
        let earlier = used.filter { distance(of: $0) < 0 }
        guard let forward = earlier.max(by: { distance(of: $0) < distance(of: $1) }) else { return false }
        return used.contains { distance(of: $0) > 0 || tools.distance(from: forward, to: $0) < 0 }
    }
}
