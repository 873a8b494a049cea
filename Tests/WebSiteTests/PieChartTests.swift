import Foundation
import Testing

@testable import WebSite

struct PieChartTests {
    private func chart(_ counts: [Int]) -> PieChart {
        PieChart(title: "T", categories: counts.enumerated().map { .init(name: "C\($0)", count: $1) })
    }

    @Test(arguments: [
        ([1, 1, 1], [34, 33, 33]), ([0, 0, 0], [0, 0, 0]), ([5, 0, 0], [100, 0, 0]), ([1, 100_000, 0], [1, 99, 0]),
        ([1, 1, 1_000_000], [1, 1, 98]), ([4, 8, 5], [24, 47, 29]), ([1, 199, 0], [1, 99, 0]),
        ([50, 50, 0], [50, 50, 0]),
        ([Int.max, Int.max, 0], [50, 50, 0]),
    ])
    func percentagesAreRoundedByLargestRemainder(_ counts: [Int], _ expected: [Int]) {
        #expect(chart(counts).percentages == expected)
    }

    @Test func percentagesAlwaysAddUpAndNothingThereIsNeverNothing() {
        for a in [0, 1, 2, 3, 7, 50, 999, 1_000_000] {
            for b in [0, 1, 4, 13, 98, 12345] {
                for c in [0, 1, 6, 333, 77777] where a + b + c > 0 {
                    let chart = chart([a, b, c])
                    #expect(chart.percentages.reduce(0, +) == 100)
                    #expect(abs(chart.angles.reduce(0, +) - 360) < 1e-6)
                    for (count, (percentage, angle)) in zip([a, b, c], zip(chart.percentages, chart.angles)) {
                        #expect((count > 0) == (percentage > 0))
                        #expect(count == 0 ? angle == 0 : angle >= PieChart.minimumAngle * 0.9)
                    }
                }
            }
        }
    }

    @Test func oneCategoryIsAFullCircle() {
        let svg = chart([0, 3, 0]).svg()
        #expect(svg.contains(#"<circle class="s c1""#))
        #expect(!svg.contains("<path"))
        #expect(svg.contains("3 · 100 %"))
    }

    @Test func barsHaveTheLengthOfTheirShareOfTheLargest() {
        let chart = PieChart(
            title: "T",
            categories: [.init(name: "A", count: 100), .init(name: "B", count: 50), .init(name: "C", count: 0)],
            unit: " h")
        let svg = chart.svg(.bar)
        #expect(svg.contains(#"width="560""#) && svg.contains(#"width="280""#) && svg.contains(#"width="0""#))
        #expect(svg.contains("100 h · 67 %") && !svg.contains("<path") && svg != chart.svg())
        #expect(svg.contains("<desc id=\"pie-description\">A: 100 h (67 %), B: 50 h (33 %), C: 0 h (0 %)</desc>"))
        let empty = PieChart(title: "T", categories: [.init(name: "A", count: 0)])
        #expect(empty.svg(.bar).contains("Nothing here yet"))
    }

    @Test func nothingSaysSo() {
        let svg = PieChart(title: "T", categories: [.init(name: "A", count: 0)], emptyText: "Nothing here yet").svg()
        #expect(svg.contains(">Nothing here yet</text>"))
        #expect(svg.contains("<desc id=\"pie-description\">Nothing here yet</desc>"))
        #expect(!svg.contains("<path"))
    }

    @Test func describesItselfAndIsWellFormed() throws {
        let chart = PieChart(
            title: #"<Share> & "more""#,
            categories: [
                .init(name: "Live <b>", count: 1), .init(name: "VOD & co", count: 2), .init(name: "\u{1}'", count: 9),
            ])
        let svg = chart.svg()
        #expect(svg.contains(#"role="img""#))
        #expect(svg.contains("<title id=\"pie-title\">&lt;Share&gt; &amp; &quot;more&quot;</title>"))
        #expect(svg.contains("Live &lt;b&gt;: 1 (8 %), VOD &amp; co: 2 (17 %)"))
        #expect(svg.contains("prefers-color-scheme:dark"))
        #expect(svg.components(separatedBy: "<path").count == 4)
    }

    @Test func labelsStandApart() {
        let svg = chart([1, 1, 1, 1, 1, 1, 1, 1, 1, 1_000]).svg()
        let rows = svg.split(separator: "\n").filter { $0.hasPrefix("<text") }
        let baselines = rows.compactMap { row in
            row.split(separator: " ").first { $0.hasPrefix("y=") }?.dropFirst(3).split(separator: "\"").first.flatMap {
                Double($0)
            }
        }
        #expect(baselines.count == 20)
        #expect(zip(baselines, baselines.dropFirst()).allSatisfy { $1 - $0 >= 18 })
    }
}
