import LibAV

extension WorkerEvent {
    /// The event with every number in range and every text on one line, which is safe to use.
    ///
    /// - Parameter folder: the job's folder, which is left out of texts because it is internal; `nil` for none.
    func checked(folder: String?) -> WorkerEvent {
        switch self {
        case .started(let version): .started(version: word(version) ?? "")
        case .probed(let description): .probed(description.checked())
        case .progress(let fraction): .progress(fraction: fraction.isFinite ? min(max(0, fraction), 1) : 0)
        case .done(let result): .done(result.checked())
        case .failed(let reason): .failed(reason: Self.line(reason, without: folder))
        }
    }

    private static func line(_ text: String, without folder: String?) -> String {
        let text = folder.map { text.replacing("\($0)/", with: "") } ?? text
        return TagText.clean(text, maximumCharacterCount: WorkerAnswerLimits.maximumReasonCharacterCount)
            ?? "the worker gave no reason"
    }
}

extension WorkerResult {
    fileprivate func checked() -> WorkerResult {
        var result = self
        result.copiedStreams = min(max(0, copiedStreams), WorkerAnswerLimits.maximumStreamCount)
        result.transcodedStreams = min(max(0, transcodedStreams), WorkerAnswerLimits.maximumStreamCount)
        result.description = description?.checked()
        result.leftOut = leftOut?.prefix(WorkerAnswerLimits.maximumLeftOutCount).compactMap { TagText.clean($0) }
        result.note = TagText.clean(note, maximumCharacterCount: WorkerAnswerLimits.maximumReasonCharacterCount)
        result.firstTime = firstTime.flatMap { WorkerAnswerLimits.times.contains($0) ? $0 : nil }
        return result
    }
}

extension MediaDescription {
    fileprivate func checked() -> MediaDescription {
        var description = self
        description.container = word(container) ?? ""
        description.duration = duration.flatMap { WorkerAnswerLimits.durations.contains($0) ? $0 : nil }
        description.streams = streams.prefix(WorkerAnswerLimits.maximumStreamCount).map { $0.checked() }
        // There must not be more tags than a file may have.
        description.tags = [:]
        for (key, value) in tags.sorted(by: { $0.key < $1.key }).prefix(InputFile.maximumTagCount) {
            guard let key = word(key) else { continue }
            description.tags[key] = TagText.clean(value, maximumCharacterCount: InputFile.maximumTagByteCount)
        }
        return description
    }
}

extension StreamDescription {
    fileprivate func checked() -> StreamDescription {
        func inRange<Value>(_ value: Value?, _ range: ClosedRange<Value>) -> Value? {
            value.flatMap { range.contains($0) ? $0 : nil }
        }
        var stream = self
        stream.index = min(max(0, index), Int(Int32.max))
        stream.type = word(type) ?? ""
        stream.codec = word(codec) ?? ""
        stream.width = inRange(width, WorkerAnswerLimits.sides)
        stream.height = inRange(height, WorkerAnswerLimits.sides)
        stream.shownSize = shownSize.flatMap { size in
            let isPlausible = [size.width, size.height].allSatisfy(WorkerAnswerLimits.sides.contains)
            return isPlausible ? size : nil
        }
        stream.frameRate = inRange(frameRate, WorkerAnswerLimits.frameRates)
        stream.sampleRate = inRange(sampleRate, WorkerAnswerLimits.sampleRates)
        stream.channels = inRange(channels, WorkerAnswerLimits.channelCounts)
        stream.language = word(language)
        return stream
    }
}

private func word(_ text: String?) -> String? {
    TagText.clean(text, maximumCharacterCount: WorkerAnswerLimits.maximumWordCharacterCount)
}
