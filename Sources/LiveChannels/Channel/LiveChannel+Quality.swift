import MediaCore

/// The quality of a push, as it reports it to its channel.
extension LiveChannel {
    /// Takes what has arrived in the last second, and tells the observer if the quality has changed.
    func note(_ sample: QualityWatch.Sample, identifier: String, now: WallClockTime) {
        let (change, gaps) = withState { state -> (QualityWatch.Change?, [MediaGaps.Report]) in
            guard !state.presence.isSlate, state.epoch?.identifier == identifier else { return (nil, []) }
            return (state.quality.note(sample, now: now), state.gaps.takeDue(now: now))
        }
        if let change { tell(.quality(problems: change.problems, loss: change.loss)) }
        tell(gaps)
    }

    /// Notes that media of a push is missing.
    func noteGap(_ duration: Duration, _ cause: MediaGapCause, now: WallClockTime) {
        let gaps = withState { state in
            state.gaps.note(duration, cause)
            return state.gaps.takeDue(now: now)
        }
        tell(gaps)
    }

    private func tell(_ gaps: [MediaGaps.Report]) {
        for gap in gaps {
            tell(.gap(cause: gap.cause, count: gap.count, seconds: gap.duration.seconds))
        }
    }
}

extension PresetComparison {
    /// Share by which the frame rate may fall short of the preset: 25 frames per second instead of 30 are a country's
    /// habit, and no problem.
    private static let frameRateShortfallTolerance = 0.3

    /// The values that are clearly below the preset. The size of the frames is the publisher's choice.
    var shortfalls: Set<QualityProblem> {
        var problems: Set<QualityProblem> = []
        if let measured = frameRate.measured, measured < frameRate.promised * (1 - Self.frameRateShortfallTolerance) {
            problems.insert(.frameRate)
        }
        if videoBitrate.verdict == .below { problems.insert(.videoBitRate) }
        if audioBitrate.verdict == .below { problems.insert(.audioBitRate) }
        return problems
    }
}
