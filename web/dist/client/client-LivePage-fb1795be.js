import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{t as i,v as a}from"./client-Link-7ee8c216.js";import{C as o,D as s,E as c,T as l,a as u,b as d,g as f,m as p,w as m}from"./client-57fbb3e3.js";import{n as h,r as g,t as _}from"./client-changes-c75df222.js";import{t as v}from"./client-LiveList-de462fb4.js";import{t as y}from"./client-pages-eee6df26.js";n();var b=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n],storageKey:null},{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n,{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},r,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},r,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},i],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`fa5790499ecebd35cd521151f877707d`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
  $first: Int!
) {
  viewer {
    liveFeed(first: $first) {
      syncToken
    }
    ...LivePage_viewer_3ASum4
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_3ASum4 on Viewer {
  liveFeed(first: $first) {
    snapshotAt
    edges {
      cursor
      sortKey
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),x=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`0b7ab7d86e9922ea268537930ad46313`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
  $after: String
  $first: Int
) {
  viewer {
    ...LivePage_viewer_2HEEH6
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_2HEEH6 on Viewer {
  liveFeed(first: $first, after: $after) {
    snapshotAt
    edges {
      cursor
      sortKey
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),S=(function(){var e=[`liveFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:x}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`sortKey`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),C=e(),w=t(),T=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
  $input: ScheduleLiveInput!
) {
  scheduleLive(input: $input) {
    liveSession {
      id
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),E=r();function D(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function O({onScheduled:e}){let[t,n]=(0,C.useState)(!1);return(0,E.jsxs)(E.Fragment,{children:[(0,E.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:y.schedule.open}),t&&(0,E.jsx)(f,{title:y.schedule.title,onClose:()=>n(!1),children:(0,E.jsx)(k,{onDone:()=>{n(!1),e()}})})]})}function k({onDone:e}){let t=(0,w.useRelayEnvironment)(),n=l(),[r,i]=(0,C.useState)(``),[a,s]=(0,C.useState)(()=>D(new Date(Date.now()+36e5))),[c,u]=(0,C.useState)(``),d=async()=>{u(``);try{await p(t,{mutation:T,variables:{input:{title:r,scheduledAt:new Date(a).toISOString()}}})}catch(e){u(y.schedule.failed(m(o(e))));return}n.show({tone:`good`,title:y.schedule.done}),e()};return(0,E.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),d()},children:[(0,E.jsxs)(`label`,{children:[y.schedule.titleField,` `,(0,E.jsx)(`input`,{required:!0,dir:`auto`,maxLength:200,value:r,onChange:e=>i(e.target.value)})]}),(0,E.jsxs)(`label`,{children:[y.schedule.startField,` `,(0,E.jsx)(`input`,{required:!0,type:`datetime-local`,min:D(new Date),value:a,onChange:e=>s(e.target.value)})]}),c&&(0,E.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:c}),(0,E.jsx)(`div`,{className:`dialog-foot`,children:(0,E.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:y.schedule.submit})})]})}var A=20,j=b;function M({attempt:e}){let{viewer:t}=(0,w.useLazyLoadQuery)(j,{first:A},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,E.jsx)(N,{viewer:t,token:t.liveFeed.syncToken??null})}function N({viewer:e,token:t}){let{data:n,...r}=(0,w.usePaginationFragment)(S,e),{edges:o,snapshotAt:l}=n.liveFeed,f=(0,C.useMemo)(()=>o.filter(e=>e.node!=null).sort(s),[o]),{refresh:p,busy:m}=F(),h=P({edges:f,token:t,loading:r.isLoadingNext,refresh:p});return(0,E.jsxs)(E.Fragment,{children:[(0,E.jsx)(u,{title:y.live.title,children:(0,E.jsx)(O,{onScheduled:p})}),(0,E.jsxs)(`div`,{className:`live-bar`,children:[(0,E.jsx)(`p`,{role:`status`,children:h?y.live.changed:y.live.asOf(l)}),(0,E.jsxs)(`button`,{type:`button`,className:h?`button button-small button-primary`:`button button-small`,"aria-busy":m,onClick:()=>void p(),children:[(0,E.jsx)(c,{name:`refresh`}),` `,y.live.refresh]})]}),(0,E.jsx)(v,{edges:f,pages:r,empty:(0,E.jsxs)(d,{icon:`live`,title:y.live.empty,children:[(0,E.jsx)(`p`,{children:y.live.emptyHint}),(0,E.jsx)(i,{className:`button button-primary`,href:`/search`,children:a.app.findPeople})]})})]})}function P({edges:e,token:t,loading:n,refresh:r}){let i=(0,w.useRelayEnvironment)(),[a,o]=(0,C.useState)(null),c=a!==null&&a===t,l=(0,C.useRef)(r);return(0,C.useEffect)(()=>{l.current=r}),g(t,n,n=>{if(n.some(({kind:e})=>e===`RESET`)){o(t),scrollY>0&&l.current();return}h(i,n.flatMap(({kind:e,liveSessionId:t})=>e===`REMOVED`&&t?[t]:[]));let r=n.flatMap(({edge:t})=>t&&!e.some(e=>e.node.id===t.node.id&&s(e,t)===0)?[t]:[]);r.length&&(scrollY>0?o(t):_(i,r))}),(0,C.useEffect)(()=>{if(!c)return;let e=()=>{scrollY===0&&l.current()};return e(),addEventListener(`scroll`,e),()=>removeEventListener(`scroll`,e)},[c]),c}function F(){let e=(0,w.useRelayEnvironment)(),t=l(),[n,r]=(0,C.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,w.fetchQuery)(e,j,{first:A},{fetchPolicy:`network-only`}).toPromise()}catch(e){let n=o(e);t.show({tone:`bad`,title:y.live.refreshFailed,text:m(n),requestId:n.requestId,away:n.away})}finally{r(!1)}}},busy:n}}export{M as default};