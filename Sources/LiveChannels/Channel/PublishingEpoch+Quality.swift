import MediaCore

/// The epoch's measurements of the push for ``QualityWatch`` and ``MediaGaps``.
extension PublishingEpoch {
    /// The sample of the media that has arrived since the previous call.
    func takeQualitySample(_ comparison: PresetComparison?) -> QualityWatch.Sample {
        defer { (sampledPacketCount, sampledLossCount) = (receivedPacketCount, lostPacketCount) }
        return QualityWatch.Sample(
            receivedPacketCount: receivedPacketCount - sampledPacketCount,
            lostPacketCount: lostPacketCount - sampledLossCount,
            jitter: inputs.map(\.arrivals.value).max() ?? .zero, shortfalls: comparison?.shortfalls ?? [])
    }

    /// Compares a unit with the one before it on its track.
    func measureArrival(of unit: AccessUnit, index: Int, now: WallClockTime) {
        let time = MediaTime(value: unit.decodeTime, timescale: inputs[index].sentTimescale)
        inputs[index].arrivals.note(time, arrivedAt: now)
        defer { inputs[index].latest = (time, now) }
        guard let latest = inputs[index].latest, inputs[index].isUsed, case .packaging = phase else { return }
        let step = Duration(time) - Duration(latest.time)
        guard step >= MediaGaps.minimumGap else { return }
        channel.noteGap(
            step <= MediaGaps.maximumMeasuredStep ? step : now - latest.arrivedAt, .missingFrames, now: now)
    }
}
