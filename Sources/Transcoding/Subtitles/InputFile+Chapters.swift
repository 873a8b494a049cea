import CLibAV
import LibAV

extension InputFile {
    /// Returns the file's chapters in the order of their starts.
    ///
    /// - Parameter shift: The microseconds to add to every time.
    func chapters(shift: Int64) -> [ChapterMark] {
        guard let chapters = context.pointee.chapters else { return [] }
        let count = min(Int(context.pointee.nb_chapters), ChapterMark.maximumCount)
        let marks = (0..<count).compactMap { index -> ChapterMark? in
            guard let chapter = chapters[index], let start = Int64(timestamp: chapter.pointee.start),
                chapter.pointee.time_base.positive != nil
            else { return nil }
            let time = rescale(start, from: chapter.pointee.time_base, to: microseconds) &+ shift
            return ChapterMark(
                start: max(0, time) / 1_000, title: Self.value(of: "title", in: chapter.pointee.metadata) ?? "")
        }
        return marks.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }
}
