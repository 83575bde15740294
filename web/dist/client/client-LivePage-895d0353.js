import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{B as i,R as a,U as o,W as s,X as c,at as l,f as u,j as d,s as f,t as p}from"./client-PageHead-9a8fb5a8.js";import{f as m,h,m as g,p as _}from"./client-846bca9e.js";import{t as v}from"./client-LiveList-01020bf4.js";import{t as y}from"./client-pages-9e3781ed.js";var b=n(),x=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n],storageKey:null},{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n,{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},r,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},i],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`3ba3a8ff44e34d51baf52f90fde72aac`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
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
`}}})(),S=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`d9e203e0c1cd93e1045588febdaf3b5f`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
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
`}}})(),C=(function(){var e=[`liveFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:S}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),w=e(),T=t(),E=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`liveSessionId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},a,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},o],storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}]},params:{cacheID:`6be9c09fc23bcd9a2808c43c25da8a91`,id:null,metadata:{},name:`changesLiveSubscription`,operationKind:`subscription`,text:`subscription changesLiveSubscription(
  $since: String!
) {
  liveChanges(since: $since) {
    changes {
      kind
      liveSessionId
      edge {
        cursor
        state
        node {
          id
          ...LiveCard_session
        }
      }
    }
    syncToken
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
`}}})();function D(e,t,n){let r=(0,T.useRelayEnvironment)(),i=l(),a=(0,w.useRef)(n);(0,w.useEffect)(()=>{a.current=n});let o=(0,w.useRef)(null);(0,w.useEffect)(()=>{if(e!==null)return o.current=new h(r,i,{subscription:E,begin:()=>Promise.resolve(e),apply:({liveChanges:{changes:e,syncToken:t}})=>(a.current(e),t)}),o.current.start()},[r,i,e]),(0,w.useEffect)(()=>{if(!t)return;let e=o.current?.since??null;return()=>{e!==null&&e!==o.current?.since&&o.current?.goOn(e)}},[t])}function O(e,t){(0,b.commitLocalUpdate)(e,e=>{let n=A(e);if(n){for(let{cursor:r,state:i,node:a}of t){let t=e.get(a.id);if(!t)continue;b.ConnectionHandler.deleteNode(n,a.id);let o=b.ConnectionHandler.createEdge(e,n,t,`LiveEdge`);o.setValue(r,`cursor`),o.setValue(i,`state`),b.ConnectionHandler.insertEdgeAfter(n,o)}n.setValue(new Date().toISOString(),`snapshotAt`)}})}function k(e,t){(0,b.commitLocalUpdate)(e,e=>{let n=A(e);if(n)for(let e of t)b.ConnectionHandler.deleteNode(n,e)})}function A(e){let t=e.getRoot().getLinkedRecord(`viewer`);return t&&b.ConnectionHandler.getConnection(t,`LivePage_liveFeed`)}var j=``;function M(e,t){let[n,r]=[N(e),N(t)],i=g(r.at,n.at);return g(n.state,r.state)||(n.state===j?-i:i)||g(r.id,n.id)}function N({cursor:e}){let t=_(e);return{state:t.slice(2,3),at:t.slice(35,43),id:t.slice(43,51)}}var P=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
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
`}}})(),F=r();function I(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function L({onScheduled:e}){let[t,n]=(0,w.useState)(!1);return(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:y.schedule.open}),t&&(0,F.jsx)(m,{title:y.schedule.title,onClose:()=>n(!1),children:(0,F.jsx)(R,{onDone:()=>{n(!1),e()}})})]})}function R({onDone:e}){let t=(0,T.useRelayEnvironment)(),n=o(),[r,s]=(0,w.useState)(``),[c,l]=(0,w.useState)(()=>I(new Date(Date.now()+36e5))),[d,f]=(0,w.useState)(``),p=async()=>{f(``);try{await u(t,{mutation:P,variables:{input:{title:r,scheduledAt:new Date(c).toISOString()}}})}catch(e){f(y.schedule.failed(i(a(e))));return}n.show({tone:`good`,title:y.schedule.done}),e()};return(0,F.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),p()},children:[(0,F.jsxs)(`label`,{children:[y.schedule.titleField,` `,(0,F.jsx)(`input`,{required:!0,dir:`auto`,maxLength:200,value:r,onChange:e=>s(e.target.value)})]}),(0,F.jsxs)(`label`,{children:[y.schedule.startField,` `,(0,F.jsx)(`input`,{required:!0,type:`datetime-local`,min:I(new Date),value:c,onChange:e=>l(e.target.value)})]}),d&&(0,F.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:d}),(0,F.jsx)(`div`,{className:`dialog-foot`,children:(0,F.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:y.schedule.submit})})]})}var z=20,B=x;function V({attempt:e}){let{viewer:t}=(0,T.useLazyLoadQuery)(B,{first:z},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,F.jsx)(H,{viewer:t,token:t.liveFeed.syncToken??null})}function H({viewer:e,token:t}){let{data:n,...r}=(0,T.usePaginationFragment)(C,e),{edges:i,snapshotAt:a}=n.liveFeed,o=(0,w.useMemo)(()=>i.filter(e=>e.node!=null).sort(M),[i]),{refresh:l,busy:u}=W(),m=U({edges:o,token:t,loading:r.isLoadingNext,refresh:l});return(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(p,{title:y.live.title,children:(0,F.jsx)(L,{onScheduled:l})}),(0,F.jsxs)(`div`,{className:`live-bar`,children:[(0,F.jsx)(`p`,{role:`status`,children:m?y.live.changed:y.live.asOf(a)}),(0,F.jsxs)(`button`,{type:`button`,className:m?`button button-small button-primary`:`button button-small`,"aria-busy":u,onClick:()=>void l(),children:[(0,F.jsx)(c,{name:`refresh`}),` `,y.live.refresh]})]}),(0,F.jsx)(v,{edges:o,pages:r,empty:(0,F.jsxs)(d,{icon:`live`,title:y.live.empty,children:[(0,F.jsx)(`p`,{children:y.live.emptyHint}),(0,F.jsx)(f,{className:`button button-primary`,href:`/search`,children:s.app.findPeople})]})})]})}function U({edges:e,token:t,loading:n,refresh:r}){let i=(0,T.useRelayEnvironment)(),[a,o]=(0,w.useState)(null),s=a!==null&&a===t,c=(0,w.useRef)(r);return(0,w.useEffect)(()=>{c.current=r}),D(t,n,n=>{if(n.some(({kind:e})=>e===`RESET`)){o(t),scrollY>0&&c.current();return}k(i,n.flatMap(({kind:e,liveSessionId:t})=>e===`REMOVED`&&t?[t]:[]));let r=n.flatMap(({edge:t})=>t&&!e.some(e=>e.node.id===t.node.id&&M(e,t)===0)?[t]:[]);r.length&&(scrollY>0?o(t):O(i,r))}),(0,w.useEffect)(()=>{if(!s)return;let e=()=>{scrollY===0&&c.current()};return e(),addEventListener(`scroll`,e),()=>removeEventListener(`scroll`,e)},[s]),s}function W(){let e=(0,T.useRelayEnvironment)(),t=o(),[n,r]=(0,w.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,T.fetchQuery)(e,B,{first:z},{fetchPolicy:`network-only`}).toPromise()}catch(e){let n=a(e);t.show({tone:`bad`,title:y.live.refreshFailed,text:i(n),requestId:n.requestId,away:n.away})}finally{r(!1)}}},busy:n}}export{V as default};