// SPDX-License-Identifier: Apache-2.0
//
// The style of every page: colours are named once for light and once for dark; l0 to l5 are the
// levels of marks in pictures, from as good as can be to bad, apart in brightness too; c0 to c4
// tell lines apart.
#include "html.h"

const char *const html_style[] = {
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--dim:#5b6470;--rule:#d9dee4;"
    "--soft:#f4f6f8;--good:#1a7f4b;--bad:#b42318;--hot:228 87 46;--warn:180 35 "
    "24;--l0:#2a9d8f;--l1:#8ab17d;"
    "--l2:#d9b44a;--l3:#e08e45;--l4:#d95d39;--l5:#a4161a;--on5:#fff;"
    "--c0:#1f77b4;--c1:#d95f02;--c2:#1b9e77;--c3:#7b4fa3;--c4:#b8860b}\n",
    "@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ed;--dim:#9aa4b0;"
    "--rule:#333a42;--soft:#1c2127;--good:#4cc38a;--bad:#ff8a7a;--hot:255 112 67;--warn:255 138 "
    "122;--l0:#35b7a6;"
    "--l1:#9cc68d;--l2:#e5c35c;--l3:#f0a35e;--l4:#f2764f;--l5:#ff5a5f;--on5:#10151a;"
    "--c0:#6cb4ee;--c1:#ff9f51;--c2:#4fd1a5;--c3:#c39bea;--c4:#e6c04a}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}\n",
    "main{max-width:1200px;margin:0 auto;padding:1.5rem 1rem 4rem}\n",
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}\n",
    "h2{font-size:1.15rem;margin:2.25rem 0 .75rem;padding-bottom:.25rem;"
    "border-bottom:1px solid var(--rule)}\n",
    "h3{font-size:1rem;margin:0 0 .25rem;overflow-wrap:anywhere}\n",
    "p{margin:.25rem 0 .5rem;overflow-wrap:anywhere}\n",
    "code,pre,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "font-size:.85rem}\n",
    "h1 code{font-size:inherit}\n",
    ".dim{color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}\n",
    ".verdict{font-weight:600;font-size:1.05rem}\n",
    ".scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}\n",
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n",
    "th,td{padding:.2rem .6rem;text-align:left;vertical-align:top}\n",
    "th{font-weight:600;color:var(--dim);font-size:.8rem;white-space:nowrap}\n",
    "td.n,th.n{text-align:right;white-space:nowrap}\n",
    "td.n{background:rgb(var(--hot)/var(--heat,0%))}\n",
    ".counts{width:100%}.counts td{border-top:1px solid var(--rule)}\n",
    ".counts td.note{width:45%;min-width:14rem}\n",
    ".bar{display:inline-block;width:5rem;height:.6rem;background:var(--rule);border-radius:2px;"
    "overflow:hidden;vertical-align:middle}\n",
    ".bar span{display:block;height:100%;background:var(--l0)}\n",
    ".bars{display:grid;grid-template-columns:max-content minmax(8rem,36rem) max-content;"
    "gap:.15rem .7rem;align-items:center;font-size:.85rem}.bars .label{text-align:right}"
    ".track{display:block;height:.8rem}.track span{display:block;height:100%;min-width:1px;"
    "background:var(--l0)}.track span.faint{background:var(--l4);opacity:.35}\n",
    ".source{font-size:.85rem}.source td{padding:.05rem .6rem;line-height:1.45}\n",
    ".source td.code{white-space:pre;tab-size:4;padding-right:1.5rem}\n",
    ".source td.line{text-align:right;color:var(--dim);user-select:none}\n",
    ".source tr.hazard td.code{box-shadow:inset 3px 0 var(--bad);"
    "background:rgb(var(--warn)/12%)}\n",
    ".card{background:var(--soft);border:1px solid var(--rule);border-radius:6px;"
    "padding:.8rem 1rem;margin:0 0 1rem;min-width:0}\n",
    ".card .code{display:block;overflow-x:auto;white-space:pre;padding:.15rem 0}\n",
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));"
    "gap:1rem}.cards .card{margin:0}\n",
    ".flag{border-left:4px solid var(--bad)}\n",
    "figure{margin:.5rem 0 0}figcaption{font-size:.85rem;color:var(--dim)}\n",
    "svg{max-width:100%;height:auto;display:block}\n",
    "svg text{fill:var(--dim);font:9px system-ui,sans-serif}\n",
    "svg .frame{fill:var(--paper);stroke:var(--rule)}\n",
    "svg .rule{stroke:var(--rule);stroke-width:.6}svg .gap{stroke:var(--dim);stroke-width:.6;"
    "stroke-dasharray:1 3}svg .faint{opacity:.3}\n",
    "svg .l0,.key .l0{fill:var(--l0)}svg .l1,.key .l1{fill:var(--l1)}svg .l2,.key .l2{fill:"
    "var(--l2)}\n",
    "svg .l3,.key .l3{fill:var(--l3)}svg .l4,.key .l4{fill:var(--l4)}svg .l5,.key .l5{fill:"
    "var(--l5)}\n",
    "svg .cell{fill:var(--soft)}\n",
    "svg line.s0{stroke:var(--c0)}svg line.s1{stroke:var(--c1)}svg line.s2{stroke:var(--c2)}"
    "svg line.s3{stroke:var(--c3)}svg line.s4{stroke:var(--c4)}svg "
    "line[class^=s]{stroke-width:1.8}\n",
    "svg rect.s0{fill:var(--c0)}svg rect.s1{fill:var(--c1)}svg rect.s2{fill:var(--c2)}"
    "svg rect.s3{fill:var(--c3)}svg rect.s4{fill:var(--c4)}\n",
    "svg .lit{fill:var(--l0);opacity:.85}svg .unlit{fill:var(--soft);stroke:var(--rule)}"
    "svg .reads{stroke:var(--l0);stroke-width:1.2}svg "
    ".arc{stroke:var(--c0);stroke-width:1.2;fill:none}svg "
    ".roof{stroke:var(--ink);stroke-width:1.5}\n",
    ".steps,.wide{overflow-x:auto}.steps svg,.wide svg{max-width:none}.wide svg text{font-size:"
    "11px}.steps svg text{fill:var(--ink);"
    "font-size:11px}.steps label{margin-right:.6rem}.now{display:none}\n",
    ".steps svg rect[class^=l]+text{fill:#10151a}.steps svg rect.l5+text{fill:var(--on5)}"
    ".steps svg rect.lit+text{fill:#10151a}\n",
    "@media(max-width:700px){.bars{grid-template-columns:1fr max-content}.bars "
    ".label{grid-column:1/-1;"
    "text-align:left;margin-top:.25rem}}\n",
    "@media(max-width:700px){.counts tr{display:flex;flex-wrap:wrap;padding:.3rem 0;"
    "border-top:1px solid var(--rule)}.counts td{border:0;padding:0 .4rem}"
    ".counts tr:first-child,.counts td:empty,.source tr:first-child,.source "
    "td.n:empty{display:none}"
    ".counts td:first-child{flex:1 0 100%;font-weight:600}.counts td.note{width:auto}"
    ".counts td.n,.source td.n{text-align:left}"
    "td.n::after{content:\" \" attr(data-label);color:var(--dim)}"
    ".source tr{display:flex;flex-wrap:wrap;padding:.05rem 0 .05rem 2.6rem}"
    ".source td.line{width:2.6rem;margin-left:-2.6rem;padding:0 .5rem 0 0}"
    ".source td.code{order:1;flex:1 0 100%;padding:0;white-space:pre-wrap;"
    "overflow-wrap:anywhere}"
    ".source td.n{order:2;font-size:.75rem;padding:0 .3rem;margin-right:.3rem}"
    "}\n",
    "footer{margin-top:3rem;color:var(--dim);font-size:.85rem}\n",
    "@media print{:root{--paper:#fff;--ink:#000;--dim:#444;--rule:#bbb;--soft:#fff}"
    "body{font-size:10pt}main{max-width:none;padding:0}.card,tr,figure{break-inside:avoid}"
    ".scroll{overflow:visible}.source td.code{white-space:pre-wrap;width:60%}"
    ".source th{white-space:normal;font-size:6.5pt}.source td{font-size:7pt}"
    ".source td,.source th{padding:.05rem .25rem}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n",
    NULL};
